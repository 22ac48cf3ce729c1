export interface PasswordValues {
  oldPassword: string;
  newPassword: string;
  newPasswordConfirmation: string;
}
export type PasswordField = keyof PasswordValues;

/** ACC-010, each rule with its name on the list and its sentence when it is broken (ACC-012). */
export const passwordRules: readonly { name: string; text: string; holds: (password: string) => boolean }[] =
  [
    {
      name: "8 caracteres ou mais",
      text: "A nova senha precisa ter ao menos 8 caracteres",
      holds: (password) => [...password].length >= 8,
    },
    {
      name: "letra minúscula",
      text: "A nova senha precisa de uma letra minúscula",
      holds: (password) => /\p{Ll}/u.test(password),
    },
    {
      name: "letra maiúscula",
      text: "A nova senha precisa de uma letra maiúscula",
      holds: (password) => /\p{Lu}/u.test(password),
    },
    { name: "número", text: "A nova senha precisa de um número", holds: (password) => /\d/.test(password) },
    {
      name: "caractere especial",
      text: "A nova senha precisa de um caractere especial, como ! ou @",
      holds: (password) => /[^\p{L}\p{N}\s]/u.test(password),
    },
  ];

/** One sentence for each field that keeps the form from being sent (ACC-010, ACC-011). */
export function checkPasswords(values: PasswordValues): Partial<Record<PasswordField, string>> {
  const { oldPassword, newPassword, newPasswordConfirmation } = values;
  const broken = passwordRules.find((rule) => !rule.holds(newPassword));
  return {
    ...(!oldPassword && { oldPassword: "Digite a senha atual" }),
    ...(!newPassword && { newPassword: "Digite a nova senha" }),
    ...(newPassword && broken && { newPassword: broken.text }),
    ...(newPassword && newPasswordConfirmation !== newPassword
      ? { newPasswordConfirmation: "A confirmação precisa ser igual à nova senha" }
      : {}),
  };
}
