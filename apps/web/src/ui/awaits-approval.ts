/** Said in place of "done" where the company's controls ask another person first. */
export const awaitsApprovalText = "Enviado para aprovação. Nada acontece antes que outra pessoa aprove.";
