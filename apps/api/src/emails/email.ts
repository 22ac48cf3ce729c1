/** The building blocks of every e-mail's text. Nothing here knows a brand or an address: `write.ts` adds those. */
import { formatDate, formatMoment, saoPauloDate } from "@malote/domain/calendar";
import { cents, formatBrl } from "@malote/domain/money";

export interface Fact {
  label: string;
  value: string;
}

export interface Email {
  subject: string;
  /** Replaces "Olá" and the reader's first name. */
  greeting?: string;
  paragraphs: readonly string[];
  facts?: readonly Fact[];
  /** To a page of ours, or to the address of a link that lets its reader in. */
  button?: { label: string; page: `/${string}` } | { label: string; url: string };
}

export const brl = (amount: number): string => formatBrl(cents(amount));

export const count = (number: number): string => number.toLocaleString("pt-BR");

export const day = (instant: Date): string => formatDate(saoPauloDate(instant));

/**
 * What every admin is notified of, because the account that did it may be stolen. `what`: one sentence that names the
 * person.
 */
export const noticeToAdmins = (notice: {
  subject: string;
  what: string;
  facts?: readonly Fact[];
  /** The page on which the reader sees it and can undo it. */
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

/** About how a person signs in: `email` is theirs, so that they know which of their accounts it is about. */
export interface OwnAccount {
  email: string;
  at: Date;
}

/** To the account's owner: they notice a change they did not make. */
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
