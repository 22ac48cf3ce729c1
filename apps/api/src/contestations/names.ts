/** How moments are written in e-mails and sheets. */
const inSaoPaulo = new Intl.DateTimeFormat("pt-BR", {
  timeZone: "America/Sao_Paulo",
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** `24/11/2026 12:30`. */
export const dateTime = (instant: Date): string => inSaoPaulo.format(instant).replace(",", "");
