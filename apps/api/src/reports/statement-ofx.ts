/**
 * The statement as OFX 1.0.2, which Brazilian accounting programs read. Texts are Windows-1252, as the header declares,
 * and the id of an entry never changes, so that importing a file twice duplicates nothing.
 */

import { type CalendarDate, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { ownInstitution } from "@malote/domain/own-institution";
import { printable } from "../receipts/index.ts";
import type { NumberedEntry } from "../statement/index.ts";
import { payeeOf, type StatementSource } from "./statement-source.ts";

/** Maximum length in the specification. */
const memoMax = 255;
const nameMax = 32;

const header = [
  "OFXHEADER:100",
  "DATA:OFXSGML",
  "VERSION:102",
  "SECURITY:NONE",
  "ENCODING:USASCII",
  "CHARSET:1252",
  "COMPRESSION:NONE",
  "OLDFILEUID:NONE",
  "NEWFILEUID:NONE",
];

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const clean = (text: string, max = memoMax) =>
  printable(text)
    .slice(0, max)
    .replace(/[&<>]/g, (sign) => entities[sign] ?? "");

/** Replacements of Windows-1252 characters beyond Latin-1, the only ones that `printable` leaves there. */
const plainSigns: Readonly<Record<string, string>> = {
  "–": "-",
  "—": "-",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "…": "...",
  "€": "EUR",
};
const bytesOf = (text: string) =>
  Buffer.from(
    text.replace(/[\u0100-\uffff]/g, (sign) => plainSigns[sign] ?? "?"),
    "latin1",
  );

const day = (date: CalendarDate) => date.replaceAll("-", "");
const moment = (at: Date) => `${day(saoPauloDate(at))}${saoPauloTime(at).replaceAll(":", "")}[-3:BRT]`;
const amount = (centavos: number) => {
  const digits = String(Math.abs(centavos)).padStart(3, "0");
  return `${centavos < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** Returns the description with the payee's document and bank, for which a transaction has no element of its own. */
function memo(entry: NumberedEntry): string {
  const payee = payeeOf(entry);
  return [entry.description, payee?.document, payee?.bank].filter(Boolean).join(" · ");
}

function entryText(entry: NumberedEntry): string {
  const { id, date, value, complement } = entry;
  const other = (complement.payer ?? complement.receiver)?.name;
  const posted = complement.timestamp ? moment(new Date(complement.timestamp)) : day(date as CalendarDate);
  return `<STMTTRN>
<TRNTYPE>${value < 0 ? "DEBIT" : "CREDIT"}
<DTPOSTED>${posted}
<TRNAMT>${amount(value)}
<FITID>${id}
${other ? `<NAME>${clean(other, nameMax)}\n` : ""}<MEMO>${clean(memo(entry))}
</STMTTRN>
`;
}

export async function* ofxPieces(source: StatementSource): AsyncGenerator<Uint8Array> {
  const { issuer, from, to, closing, now, slices } = source;
  const { agency, account, accountDigit } = issuer.payer;
  yield bytesOf(`${header.join("\r\n")}\r\n\r\n<OFX>
<SIGNONMSGSRSV1>
<SONRS>
<STATUS>
<CODE>0
<SEVERITY>INFO
</STATUS>
<DTSERVER>${moment(now)}
<LANGUAGE>POR
<FI>
<ORG>${clean(ownInstitution().name)}
<FID>${ownInstitution().code}
</FI>
</SONRS>
</SIGNONMSGSRSV1>
<BANKMSGSRSV1>
<STMTTRNRS>
<TRNUID>1
<STATUS>
<CODE>0
<SEVERITY>INFO
</STATUS>
<STMTRS>
<CURDEF>BRL
<BANKACCTFROM>
<BANKID>${ownInstitution().code}
<BRANCHID>${clean(agency)}
<ACCTID>${clean(`${account}-${accountDigit}`)}
<ACCTTYPE>CHECKING
</BANKACCTFROM>
<BANKTRANLIST>
<DTSTART>${day(from)}
<DTEND>${day(to)}
`);
  for await (const slice of slices) yield bytesOf(slice.map(entryText).join(""));
  yield bytesOf(`</BANKTRANLIST>
<LEDGERBAL>
<BALAMT>${amount(closing)}
<DTASOF>${day(to)}
</LEDGERBAL>
</STMTRS>
</STMTTRNRS>
</BANKMSGSRSV1>
</OFX>
`);
}
