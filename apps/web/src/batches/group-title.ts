import { type Issue, issueFormText, issueText } from "@malote/domain/issues";
import type { IssueGroup } from "./open-batch-api.ts";

/** `Informe o banco: “Banco do Povo”`. */
export function groupTitle({ issue, given }: IssueGroup): string {
  const detail = issueFormText(issue as Issue);
  const text = detail === "A chave Pix deve ser válida" ? issueText(issue as Issue) : detail;
  return given ? `${text}: “${given}”` : text;
}
