/** Layout of all e-mails: the same parts become HTML and plain text. E-mails load no external content. */
import { type BrandId, brandNames } from "@malote/domain/brands";

export interface EmailText {
  greeting: string;
  paragraphs: readonly string[];
  /** Subject data, one line each: batch, value, reason. */
  facts?: readonly { label: string; value: string }[];
  button?: { label: string; url: string };
}

/**
 * Colours of the product in light and dark mode, as literals, because mail programs support neither variables nor our
 * style sheets.
 */
export const mailBrands: Readonly<Record<BrandId, { name: string; light: Colours; dark: Colours }>> = {
  malote: {
    name: brandNames.malote,
    light: { brand: "#0b6b4f", onBrand: "#ffffff" },
    dark: { brand: "#4cc79b", onBrand: "#04291f" },
  },
  horizonte: {
    name: brandNames.horizonte,
    light: { brand: "#3d43b8", onBrand: "#ffffff" },
    dark: { brand: "#98a0ff", onBrand: "#14163d" },
  },
};
interface Colours {
  brand: string;
  onBrand: string;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? "");

/** Data of the last line: why the reader gets this e-mail, and whether replies are read. */
export interface EmailFooter {
  replyTo: string | null;
  /** Name of the company that paid the reader, who does not use the product. */
  paidBy?: string;
}

const footer = (name: string, { replyTo, paidBy }: EmailFooter) =>
  `Você recebeu este e-mail porque ${paidBy === undefined ? `usa o ${name}` : `${paidBy} pagou você pelo ${name}`}. ` +
  (replyTo === null ? "Não responda a esta mensagem." : `Se responder, sua mensagem vai para ${replyTo}.`);

export function renderEmail(
  brand: BrandId,
  subject: string,
  content: EmailText,
  footing: EmailFooter,
): { text: string; html: string } {
  const url = content.button?.url;
  if (url && !/^https?:\/\//.test(url)) throw new Error(`an e-mail cannot link to ${url}`);
  const lastLine = footer(mailBrands[brand].name, footing);
  return { text: asText(brand, content, lastLine), html: asHtml(brand, subject, content, lastLine) };
}

function asText(
  brand: BrandId,
  { greeting, paragraphs, facts = [], button }: EmailText,
  lastLine: string,
): string {
  const { name } = mailBrands[brand];
  const parts = [
    greeting,
    ...paragraphs,
    facts.map(({ label, value }) => `${label}: ${value}`).join("\n"),
    button ? `${button.label}:\n${button.url}` : "",
    `--\n${name}\n${lastLine}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function asHtml(
  brand: BrandId,
  subject: string,
  { greeting, paragraphs, facts = [], button }: EmailText,
  lastLine: string,
): string {
  const { name, light, dark } = mailBrands[brand];
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`;
  const fact = ({ label, value }: { label: string; value: string }) =>
    `<tr><th scope="row" class="line quiet" style="padding:10px 12px 10px 0;border-top:1px solid #e1e5e3;color:#4a5851;font-weight:400;text-align:left;vertical-align:top">${escaped(label)}</th>` +
    `<td class="line" style="padding:10px 0;border-top:1px solid #e1e5e3;font-weight:600;text-align:right;overflow-wrap:anywhere">${escaped(value)}</td></tr>`;
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>
@media (max-width: 620px) { .page { padding: 16px 8px !important } .sheet { padding: 24px 20px !important } }
@media (prefers-color-scheme: dark) {
  .page { background: #0f1412 !important; color: #e9efec !important }
  .sheet { background: #161c19 !important; border-color: #28302c !important }
  .quiet { color: #aebbb4 !important }
  .line { border-color: #28302c !important }
  .name { color: ${dark.brand} !important }
  .button { background: ${dark.brand} !important; color: ${dark.onBrand} !important }
}
</style>
</head>
<body class="page" style="margin:0;padding:32px 16px;background:#f7f8f7;color:#14201b;font:16px/24px system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<main>
<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;margin:0 auto">
<tr><td style="padding:0 0 16px"><h1 class="name" style="margin:0;color:${light.brand};font-size:18px;line-height:24px;font-weight:700">${escaped(name)}</h1></td></tr>
<tr><td class="sheet" style="padding:32px;background:#ffffff;border:1px solid #e1e5e3;border-radius:12px">
${paragraph(greeting)}
${paragraphs.map(paragraph).join("\n")}
${facts.length > 0 ? `<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;border-collapse:collapse;font-size:15px">${facts.map(fact).join("\n")}</table>` : ""}
${button ? `<p style="margin:8px 0 0"><a class="button" href="${escaped(button.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${light.brand};color:${light.onBrand};font-weight:600;text-decoration:none">${escaped(button.label)}</a></p>` : ""}
</td></tr>
<tr><td class="quiet" style="padding:16px 0 0;color:#4a5851;font-size:13px;line-height:20px">${escaped(lastLine)}</td></tr>
</table>
</main>
</body>
</html>
`;
}
