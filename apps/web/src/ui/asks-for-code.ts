/** Said before a click that the company's controls ask a code for. */
export const asksForCodeText = "Ao confirmar, você digita o código do aplicativo autenticador.";
