/** Text in place of "done" when the company's controls require another person first. */
export const awaitsApprovalText = "Enviado para aprovação. Nada acontece antes que outra pessoa aprove.";
