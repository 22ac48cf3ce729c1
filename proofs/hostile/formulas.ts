/** Texts that make a spreadsheet program calculate, execute or fetch something. */
const calls = [
  "1+1",
  "SUM(1;1)",
  'HYPERLINK("http://127.0.0.1:1/?"&A1;"clique")',
  "cmd|'/c calc'!A1",
  'DDE("cmd";"/c calc";"x")',
  'WEBSERVICE("http://127.0.0.1:1/")',
  'IMPORTXML("http://127.0.0.1:1/";"//a")',
];

export const formulaPayloads: readonly string[] = [
  ...calls.map((call) => `=${call}`),
  ...calls.slice(0, 4).map((call) => `+${call}`),
  ...calls.slice(0, 4).map((call) => `-${call}`),
  ...calls.slice(0, 4).map((call) => `@${call}`),
  "|calc",
  "%0A=1+1",
  // Full-width forms, which some programs read as the plain ones.
  "＝1+1",
  "＋1+1",
  "－1+1",
  "＠SUM(1;1)",
  // Invisible characters before the sign.
  "\t=1+1",
  "\r=1+1",
  "\n=1+1",
  " =1+1",
  "\u00a0=1+1",
  "\u2003=1+1",
  "\u3000=1+1",
  "\ufeff=1+1",
  "\u200b=1+1",
  "\u202e=1+1",
  "\u0000=1+1",
  "\u0001=1+1",
  // Quotes, separators and lines, so that a new cell begins inside the text.
  '"=1+1',
  '";=1+1',
  '"\r\n=1+1',
  ";=1+1",
  "x;=1+1",
  'x";=1+1;"',
  'x\r\n=1+1\r\n"',
  // Commas and tabs, at which programs of other countries split cells.
  "x,=1+1",
  "Fulano de Tal,=1+1",
  "x, =1+1",
  'x,"=1+1',
  'x","=1+1","',
  'x,=HYPERLINK("http://127.0.0.1:1/","clique")',
  "x\t=1+1",
  "x,\t+1+1",
  ",=1+1",
  "x,'=1+1",
  "x\n=1+1,=1+1",
  "x,\u200b＝1+1",
  "'=1+1",
  "''=1+1",
  "' =1+1",
  "=1+1'",
  "==1+1",
  "--1",
  "=\u0000cmd",
  "-10,00",
  "+55 11 98765-4321",
];

/** Returns whether a cell begins with a calculating sign, after invisible characters, as a program would read it. */
export function calculates(cell: string): boolean {
  const seen = cell.replace(/^[\s\p{Cc}\p{Cf}\p{Z}]+/u, "");
  return /^[=+\-@|%＝＋－＠]/.test(seen);
}
