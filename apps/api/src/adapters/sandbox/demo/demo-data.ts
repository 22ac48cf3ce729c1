/**
 * Two fictitious companies and their people. They exist only in the sandbox; every document has valid check digits and
 * no real owner.
 */

import type { ReceiverStatus } from "@malote/contracts/receivers";
import type { Address } from "@malote/domain/address";
import type { BrandId } from "@malote/domain/brands";
import type { Destination } from "@malote/domain/transfer";
import type { DataToValidate, KeyFacts } from "@malote/domain/validation";

/** One readable password for all demo accounts, which protect no real data. */
export const demoPassword = "Malote-2026!";

import type { DemoInvoice } from "./demo-invoices.ts";
import type { DemoLink } from "./demo-links.ts";

interface DemoUser {
  id: string;
  name: string;
  email: string;
  profile: "admin" | "operator" | "analyst";
}

interface DemoReceiver {
  id: string;
  to: Partial<Destination>;
  status: ReceiverStatus;
  reason?: string;
}

interface DemoValidation {
  id: string;
  minutesAgo: number;
  data: Partial<DataToValidate>;
  /** Answer of the Pix directory, where the validation looked up a key. */
  key?: KeyFacts;
}

export interface DemoCompany {
  id: string;
  name: string;
  taxId: string;
  brand: BrandId;
  agency: string;
  account: string;
  accountDigit: string;
  hasFilledFirstSteps: boolean;
  /** True when the company uses micro deposits besides the basic validation. */
  usesMicroDeposit: boolean;
  address: Address;
  /** True when the company has the flag and the setting for card sales. */
  sellsByCard: boolean;
  /** One invoice per month, newest first, beginning with the previous month. */
  invoices: readonly DemoInvoice[];
  links: readonly DemoLink[];
  users: readonly DemoUser[];
  pixKeys: readonly { id: string; type: "CNPJ" | "EMAIL"; key: string }[];
  credential: { id: string; clientId: string; clientSecret: string; name: string };
  receivers: readonly DemoReceiver[];
  /** Basic validations only: a micro deposit would create entries in the ledger. */
  validations: readonly DemoValidation[];
}

const itau = "60701190";
const bancoDoBrasil = "00000000";
const bradesco = "60746948";
const santander = "90400888";
const nubank = "18236120";

/** Receivers that were paid before or are about to be paid, one for each way of paying. */
const auroraReceivers: readonly Omit<DemoReceiver, "id">[] = [
  {
    to: {
      name: "Beatriz Nogueira Sales",
      taxId: "61820493750",
      pixKeyType: "CPF",
      pixKey: "61820493750",
      email: "beatriz.sales@caixapostal.example",
    },
    status: "VERIFIED",
  },
  {
    to: {
      name: "Caio Menezes Rocha",
      taxId: "27490561876",
      pixKeyType: "TELEFONE",
      pixKey: "+5511984215570",
    },
    status: "CREATED",
  },
  {
    to: {
      name: "Gráfica Ponto Final Ltda",
      taxId: "72491638000183",
      bankIspb: itau,
      agency: "0457",
      account: "31872",
      accountDigit: "3",
      accountType: "CONTA_CORRENTE",
      email: "contas@pontofinal.example",
    },
    status: "VERIFIED",
  },
  {
    to: {
      name: "Lívia Antunes",
      pixKeyType: "CHAVE_ALEATORIA",
      pixKey: "7c1f9a52-3b0e-4d68-a4f7-91e2c05b8d36",
    },
    status: "FAILED",
    reason: "Chave PIX não encontrada.",
  },
  {
    to: {
      name: "Otávio Furtado",
      taxId: "84501736208",
      bankIspb: bancoDoBrasil,
      agency: "3187",
      account: "204561",
      accountDigit: "3",
      accountType: "CONTA_CORRENTE",
    },
    status: "CREATED",
  },
  {
    to: {
      name: "Padaria Trigo Dourado Ltda",
      taxId: "61583047000110",
      pixKeyType: "CNPJ",
      pixKey: "61583047000110",
    },
    status: "VERIFIED",
  },
  {
    to: {
      name: "Samuel Quintela",
      taxId: "39062817521",
      bankIspb: santander,
      agency: "2291",
      account: "13004578",
      accountDigit: "8",
      accountType: "CONTA_POUPANCA",
    },
    status: "VERIFIED",
  },
  {
    to: {
      name: "Teodora Brandão",
      taxId: "50718396448",
      bankIspb: nubank,
      agency: "0001",
      account: "7719403",
      accountDigit: "1",
      accountType: "CONTA_PAGAMENTO",
    },
    status: "VERIFIED",
  },
  {
    to: {
      name: "Transportes Rio Manso Ltda",
      taxId: "50827193000127",
      bankIspb: bradesco,
      agency: "1629",
      account: "88410",
      accountDigit: "3",
      accountType: "CONTA_CORRENTE",
    },
    status: "VERIFIED",
  },
  {
    to: {
      name: "Vila Verde Paisagismo Ltda",
      taxId: "39M8T2K6000158",
      pixKeyType: "EMAIL",
      pixKey: "financeiro@vilaverde.example",
    },
    status: "VERIFIED",
  },
];

const isThere: KeyFacts = { found: true, isSalaryAccount: false, isOfTaxId: null };

/** Valid and invalid validations, covering each rule. */
const auroraValidations: readonly Omit<DemoValidation, "id">[] = [
  {
    minutesAgo: 9,
    data: {
      name: "Otávio Furtado",
      taxId: "84501736208",
      bankIspb: bancoDoBrasil,
      agency: "3187",
      account: "204561",
      accountDigit: "8",
      accountType: "CONTA_CORRENTE",
    },
  },
  {
    minutesAgo: 14,
    data: {
      name: "Gráfica Ponto Final Ltda",
      taxId: "72491638000183",
      bankIspb: itau,
      agency: "0457",
      account: "31872",
      accountDigit: "3",
      accountType: "CONTA_CORRENTE",
    },
  },
  {
    minutesAgo: 26,
    data: { name: "Lívia Antunes", pixKeyType: "EMAIL", pixKey: "chave.pix15@exemplo.com.br" },
    key: { found: false },
  },
  {
    minutesAgo: 41,
    data: { name: "Vila Verde Paisagismo Ltda", pixKeyType: "EMAIL", pixKey: "financeiro@vilaverde.example" },
    key: isThere,
  },
  {
    minutesAgo: 58,
    data: { name: "Beatriz Nogueira Sales", pixKeyType: "CPF", pixKey: "61820493750" },
    key: isThere,
  },
];

const aurora: DemoCompany = {
  id: "01990000-0000-7000-8000-00000000a001",
  name: "Aurora Papelaria e Serviços Ltda",
  taxId: "27418639000148",
  brand: "malote",
  agency: "0001",
  account: "1018420",
  accountDigit: "7",
  hasFilledFirstSteps: true,
  usesMicroDeposit: true,
  address: {
    street: "Rua dos Papéis",
    number: "120",
    complement: "sala 4",
    district: "Centro",
    city: "Florianópolis",
    state: "SC",
    postal_code: "88010400",
  },
  sellsByCard: true,
  invoices: [
    { payments: 318, state: "paid" },
    { payments: 296, state: "paid" },
    { payments: 341, state: "paid" },
  ],
  links: [
    {
      name: "Kit escolar 2º semestre",
      description: "Cadernos, estojo e mochila",
      amount: 284_90,
      methods: ["pix"],
      madeBefore: 20,
      lastsFor: -6,
    },
    {
      name: "Brindes de fim de ano",
      description: "200 agendas com a marca do cliente",
      amount: 3_480_00,
      methods: ["boleto", "pix"],
      madeBefore: 2,
      lastsFor: 30,
    },
  ],
  users: [
    {
      id: "01990000-0000-7000-8000-00000000a011",
      name: "Helena Prado",
      email: "helena@aurora.example",
      profile: "admin",
    },
    {
      id: "01990000-0000-7000-8000-00000000a012",
      name: "Rui Tavares",
      email: "rui@aurora.example",
      profile: "operator",
    },
    {
      id: "01990000-0000-7000-8000-00000000a013",
      name: "Ana Beltrão",
      email: "ana@aurora.example",
      profile: "analyst",
    },
  ],
  pixKeys: [
    { id: "01990000-0000-7000-8000-00000000a021", type: "CNPJ", key: "27418639000148" },
    { id: "01990000-0000-7000-8000-00000000a022", type: "EMAIL", key: "financeiro@aurora.example" },
  ],
  credential: {
    id: "01990000-0000-7000-8000-00000000a031",
    clientId: "aurora-sandbox",
    clientSecret: "sandbox-aurora-0f4b7d1c9a26e853",
    name: "Sistema da Aurora",
  },
  receivers: auroraReceivers.map((receiver, index) => ({
    ...receiver,
    id: `01990000-0000-7000-8000-00000000a1${String(index + 1).padStart(2, "0")}`,
  })),
  validations: auroraValidations.map((validation, index) => ({
    ...validation,
    id: `01990000-0000-7000-8000-00000000a2${String(index + 1).padStart(2, "0")}`,
  })),
};

const horizonte: DemoCompany = {
  id: "01990000-0000-7000-8000-00000000b001",
  name: "Horizonte Logística Ltda",
  taxId: "48L7XQ9B000106",
  brand: "horizonte",
  agency: "0001",
  account: "1018437",
  accountDigit: "1",
  hasFilledFirstSteps: false,
  usesMicroDeposit: false,
  address: {
    street: "Avenida do Porto",
    number: "55",
    complement: null,
    district: "Boa Vista",
    city: "Recife",
    state: "PE",
    postal_code: "50050100",
  },
  sellsByCard: false,
  invoices: [
    { payments: 127, state: "open" },
    { payments: 140, state: "overdue" },
    { payments: 96, state: "protested" },
    { payments: 118, state: "paid" },
  ],
  links: [],
  users: [
    {
      id: "01990000-0000-7000-8000-00000000b011",
      name: "Marcos Vidal",
      email: "marcos@horizonte.example",
      profile: "admin",
    },
    {
      id: "01990000-0000-7000-8000-00000000b012",
      name: "Lia Fontes",
      email: "lia@horizonte.example",
      profile: "operator",
    },
    {
      id: "01990000-0000-7000-8000-00000000b013",
      name: "Bia Sampaio",
      email: "bia@horizonte.example",
      profile: "analyst",
    },
  ],
  pixKeys: [
    { id: "01990000-0000-7000-8000-00000000b021", type: "CNPJ", key: "48L7XQ9B000106" },
    { id: "01990000-0000-7000-8000-00000000b022", type: "EMAIL", key: "pagamentos@horizonte.example" },
  ],
  credential: {
    id: "01990000-0000-7000-8000-00000000b031",
    clientId: "horizonte-sandbox",
    clientSecret: "sandbox-horizonte-83c1e69fd05b472a",
    name: "Sistema da Horizonte",
  },
  // A new company without receivers shows how its empty page looks.
  receivers: [],
  validations: [],
};

export const demoCompanies: readonly DemoCompany[] = [aurora, horizonte];

/** Demo sign-ins that the README, the start-up message and the simulator show. */
export const demoUsers = demoCompanies.flatMap((company) =>
  company.users.map(({ name, email, profile }) => ({
    name,
    email,
    password: demoPassword,
    profile,
    company: company.name,
    companyId: company.id,
  })),
);

/** Documents that may not be paid, of a fictitious person and a fictitious company. */
export const demoBlockedTaxIds: readonly { taxId: string; reason: string }[] = [
  { taxId: "73190528497", reason: "Pessoa bloqueada da demonstração" },
  { taxId: "90731582000179", reason: "Empresa bloqueada da demonstração" },
  { taxId: "39271806450", reason: "Pessoa bloqueada da demonstração" },
];
