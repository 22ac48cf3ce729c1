import { getBanks } from "@brazilian-utils/brazilian-utils/get-banks";
import { foldText } from "./fold-text.ts";
import { ownInstitution } from "./own-institution.ts";

/**
 * An institution in the Central Bank's list. Its id, also on the wire, is the ISPB, because some institutions have no
 * code. Avoid truth tests: Banco do Brasil's ISPB is 00000000.
 */
export type Bank = { code: string | null; ispb: string; name: string };

/** Older entries name our institution by the product's name, which people of another brand do not know. */
const formerOwnName = "Malote IP";
export const institutionName = (written: string): string =>
  written === formerOwnName ? ownInstitution().name : written;

/** ISPBs that the rules refer to. */
export const bancoDoBrasilIspb = "00000000";
export const caixaIspb = "00360305";

/** The common name first, then other words that people type. Official names are often unused. */
const everydayNames: Readonly<Record<string, readonly string[]>> = {
  "00000000": ["Banco do Brasil", "BB", "Bco do Brasil"],
  "90400888": ["Santander", "Santander Brasil", "Banco Santander Brasil"],
  "92702067": ["Banrisul"],
  "00000208": ["BRB", "Banco de Brasília", "Banco Regional de Brasília"],
  "00416968": ["Inter", "Intermedium"],
  "05463212": ["Ailos"],
  "00360305": ["Caixa Econômica Federal", "Caixa", "CEF", "Caixa Econômica"],
  "16501555": ["Stone", "Ton"],
  "30306294": ["BTG Pactual", "BTG"],
  "60746948": ["Bradesco"],
  "18236120": ["Nubank", "Nu", "Nu Pagamentos", "Nu Bank"],
  "08561701": ["PagBank", "PagSeguro", "Pag Seguro", "PagBank PagSeguro", "PagSeguro Internet"],
  "10573521": ["Mercado Pago", "MercadoPago"],
  "31872495": ["C6 Bank", "C6"],
  "60701190": ["Itaú Unibanco", "Itaú", "Unibanco"],
  "22896431": ["PicPay", "Pic Pay"],
  "58160789": ["Safra"],
  "33479023": ["Citibank", "Citi"],
  "01181521": ["Sicredi", "Banco Cooperativo Sicredi"],
  "02038232": ["Sicoob", "Bancoob", "Banco Cooperativo Sicoob"],
  "01701201": ["Kirton Bank", "Kirton"],
  "92894922": ["Banco Original", "Original"],
  "59588111": ["Banco Votorantim", "Votorantim"],
  "37880206": ["Cora"],
  "19540550": ["Asaas"],
  "09089356": ["Efí", "Efí Bank", "Gerencianet"],
  "20855875": ["Neon", "Neon Pagamentos"],
  "07237373": ["Banco do Nordeste", "BNB"],
  "04902979": ["Banco da Amazônia", "Basa"],
  "28127603": ["Banestes"],
  "13009717": ["Banese"],
  "71027866": ["Banco BS2", "BS2"],
  "62232889": ["Daycoval"],
  "61186680": ["BMG"],
  "33264668": ["Banco XP", "XP"],
  "60889128": ["Sofisa", "Sofisa Direto"],
};

/**
 * The public list. It comes from the library's own small file, so that a browser loads 12 kB instead of the library.
 */
const listed: readonly (Bank & { officialName: string })[] = getBanks().map(({ code, ispb, name }) => ({
  code: code || null,
  ispb,
  name: everydayNames[ispb]?.[0] ?? name,
  officialName: name,
}));

const punctuation = /[^a-z0-9]+/g;
const legalForms =
  /\b(s a|sa|ltda|instituicao de pagamentos?|ip|scd|sociedade de credito direto|banco multiplo)\b/g;
const bankWord = /^(banco|bco) /;

const plainName = (name: string) => foldText(name).replace(punctuation, " ").trim();

/** Returns a name for comparison: `Banco Bradesco S.A.` and `BRADESCO` become equal. */
function shortName(name: string): string {
  const plain = plainName(name);
  const short = plain.replace(legalForms, " ").replace(/ +/g, " ").trim();
  return (short || plain).replace(bankWord, "");
}

interface Tables {
  own: Bank;
  banks: readonly Bank[];
  byIspb: ReadonlyMap<string, Bank>;
  byCode: ReadonlyMap<string, Bank>;
  byPlainName: ReadonlyMap<string, Bank>;
  /** Undefined for a short name that two institutions share, so that chance never decides where the money goes. */
  byShortName: ReadonlyMap<string, Bank | undefined>;
  /** Cache of texts and the banks they were read as. */
  remembered: Map<string, Bank | undefined>;
}

/** Builds the lookup tables. Our entry replaces entries of the public list with our ISPB or our code. */
function buildTables(own: Bank): Tables {
  const others = listed.filter(({ code, ispb }) => code !== own.code && ispb !== own.ispb);
  const banks = [...others.map(({ code, ispb, name }) => ({ code, ispb, name })), own];
  const byIspb = new Map(banks.map((bank) => [bank.ispb, bank]));
  const byCode = new Map(banks.flatMap((bank) => (bank.code ? [[bank.code, bank] as const] : [])));
  const byPlainName = new Map<string, Bank>();
  const byShortName = new Map<string, Bank | undefined>();
  const addName = (name: string, bank: Bank) => {
    byPlainName.set(plainName(name), bank);
    const short = shortName(name);
    const isShared = byShortName.has(short) && byShortName.get(short) !== bank;
    byShortName.set(short, isShared ? undefined : bank);
  };
  for (const { ispb, officialName } of listed) {
    const bank = byIspb.get(ispb);
    if (bank) addName(officialName, bank);
  }
  for (const bank of banks)
    for (const name of [bank.name, ...(everydayNames[bank.ispb] ?? [])]) addName(name, bank);
  return { own, banks, byIspb, byCode, byPlainName, byShortName, remembered: new Map() };
}

let built: Tables | undefined;
function tables(): Tables {
  const own = ownInstitution();
  if (built?.own !== own) built = buildTables(own);
  return built;
}

/** Returns all institutions, including ours. */
export const banks = (): readonly Bank[] => tables().banks;
export const findBankByCode = (code: string): Bank | undefined => tables().byCode.get(code);
export const findBankByIspb = (ispb: string): Bank | undefined => tables().byIspb.get(ispb);

/** Returns the public list's institution for an ISPB or a code, without our replacement. */
export const listedByIspb = (ispb: string): Bank | undefined => listed.find((bank) => bank.ispb === ispb);
export const listedByCode = (code: string): Bank | undefined => listed.find((bank) => bank.code === code);

/** Returns whether a name is a usual or listed name of the institution. */
export const isNameOf = (name: string, ispb: string): boolean =>
  [
    ...listed.flatMap((bank) => (bank.ispb === ispb ? [bank.officialName] : [])),
    ...(everydayNames[ispb] ?? []),
  ].some((known) => shortName(known) === shortName(name));

function findByName(name: string): Bank | undefined {
  const { byPlainName, byShortName } = tables();
  return byPlainName.get(plainName(name)) ?? byShortName.get(shortName(name));
}

const digits = /^\d+$/;
const numberThenName = /^(\d{1,4}|\d{8})\s*[-–—:/|.)]?\s*(\D.*)$/;
const nameThenNumber = /^(.*\D)[\s(-]+(\d{3}|\d{8})\)?$/;

function byNumber(text: string): Bank | undefined {
  // Spreadsheets drop leading zeros (`1`) and statement files add one (`0341`).
  if (text.length <= 3) return findBankByCode(text.padStart(3, "0"));
  if (text.length === 4 && text.startsWith("0")) return findBankByCode(text.slice(1));
  return text.length <= 8 ? findBankByIspb(text.padStart(8, "0")) : undefined;
}

// Bounds the cache, so that a hostile sheet cannot fill the memory; a sheet of 100,000 rows repeats a few dozen texts.
const rememberedMax = 2_000;

/**
 * Returns the institution that a cell or field names: by code (with or without its zeros), ISPB, name, everyday name,
 * or code and name together. Returns undefined when code and name disagree. The single word 'Brasil' counts as empty:
 * it is the end of a longer name cut by a sheet, and would otherwise mean Banco do Brasil.
 */
export function readBank(text: string): Bank | undefined {
  const { remembered } = tables();
  if (remembered.has(text)) return remembered.get(text);
  const bank = findBank(text.trim());
  if (remembered.size >= rememberedMax) remembered.clear();
  remembered.set(text, bank);
  return bank;
}

function findBank(text: string): Bank | undefined {
  // No institution's name comes near this length, so the patterns below need not run on longer texts.
  if (text.length === 0 || text.length > 200) return undefined;
  if (foldText(text) === "brasil") return undefined;
  if (digits.test(text)) return byNumber(text);
  const named = findByName(text) ?? findBankByIspb(text.toUpperCase());
  if (named) return named;

  const [, first, rest] = numberThenName.exec(text) ?? [];
  if (first && rest) return agreeing(byNumber(first), rest);
  const [, name, last] = nameThenNumber.exec(text) ?? [];
  return name && last ? agreeing(byNumber(last), name) : undefined;
}

function agreeing(bank: Bank | undefined, name: string): Bank | undefined {
  const named = findByName(name);
  return named && named !== bank ? undefined : bank;
}

/**
 * Banks where a company may still have an old account, but to which no balance is sent any more (STM-034), unless one
 * of them is our institution.
 */
const withoutBalance: ReadonlySet<string> = new Set(["033", "748", "077", "756", "104", "237", "001"]);

export const takesBalance = ({ code }: { code: string | null }): boolean =>
  code === null || code === ownInstitution().code || !withoutBalance.has(code);

/** Returns a bank's code with its check digit, as boletos print it: `341-7`. */
export function bankCodeWithDigit(code: string): string {
  const rest = [...code.padStart(3, "0")].reduce((sum, digit, at) => sum + Number(digit) * (4 - at), 0) % 11;
  return `${code}-${rest < 2 ? 0 : 11 - rest}`;
}
