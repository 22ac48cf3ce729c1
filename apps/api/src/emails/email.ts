/** Building blocks of e-mail texts. They contain no brand and no address; `write.ts` adds those. */
import { formatDate, formatMoment, saoPauloDate } from "@malote/domain/calendar";
import { cents, formatBrl } from "@malote/domain/money";

export interface Fact {
  label: string;
  value: string;
}

export interface Email {
  subject: string;
  /** Replaces the default greeting, "Olá" with the reader's first name. */
  greeting?: string;
  paragraphs: readonly string[];
  facts?: readonly Fact[];
  /** Links to a page of the product or to a URL that grants its reader access. */
  button?: { label: string; page: `/${string}` } | { label: string; url: string };
}

export const brl = (amount: number): string => formatBrl(cents(amount));

export const count = (number: number): string => number.toLocaleString("pt-BR");

export const day = (instant: Date): string => formatDate(saoPauloDate(instant));

/**
 * Builds a notice to all admins, because the actor's account may be stolen. `what` is one sentence that names the
 * actor.
 */
export const noticeToAdmins = (notice: {
  subject: string;
  what: string;
  facts?: readonly Fact[];
  /** Page on which the reader can check and undo the change. */
  page: `/${string}`;
}): Email => ({
  subject: notice.subject,
  paragraphs: [
    notice.what,
    "Se você não reconhece esta mudança, desfaça-a agora e fale com os outros administradores e com o suporte.",
  ],
  ...(notice.facts && { facts: notice.facts }),
  button: { label: "Conferir", page: notice.page },
});

/** Facts about a change of how a user signs in. `email` identifies which of the user's accounts is concerned. */
export interface OwnAccount {
  email: string;
  at: Date;
}

/** Builds a notice to the account's owner, who would notice a change by another person. */
export const noticeOfAccount = ({ email, at }: OwnAccount, subject: string, what: string): Email => ({
  subject,
  paragraphs: [
    what,
    "Se não foi você, troque sua senha agora, encerrando também as suas credenciais, e fale com um administrador da sua empresa.",
  ],
  facts: [
    { label: "Conta", value: email },
    { label: "Quando", value: formatMoment(at) },
  ],
  button: { label: "Ver minha segurança", page: "/minha-conta/seguranca" },
});
