/** Announces before a click that the company's controls require a code. */
export const asksForCodeText = "Ao confirmar, você digita o código do aplicativo autenticador.";
