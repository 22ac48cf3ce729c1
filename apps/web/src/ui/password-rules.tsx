import { IconCheck, IconPoint } from "@tabler/icons-react";
import styles from "./password-rules.module.css";

/** ACC-010, each rule with its name on the list and its sentence when it is broken (ACC-012). */
const passwordRules: readonly { name: string; text: string; holds: (password: string) => boolean }[] = [
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

/** Problems of a new password and its confirmation (ACC-010, ACC-011). */
export function problemsOfNewPassword(password: string, confirmation: string) {
  const broken = passwordRules.find((rule) => !rule.holds(password));
  return {
    ...(!password && { newPassword: "Digite a nova senha" }),
    ...(password && broken && { newPassword: broken.text }),
    ...(password && confirmation !== password
      ? { newPasswordConfirmation: "A confirmação precisa ser igual à nova senha" }
      : {}),
  };
}

/** The rules, each ticked off while the password is typed. */
export function PasswordRules({ password }: { password: string }) {
  return (
    <ul className={styles.rules} aria-label="A nova senha precisa ter">
      {passwordRules.map(({ name, holds }) => {
        const isMet = holds(password);
        return (
          <li key={name} data-met={isMet || undefined}>
            {isMet ? <IconCheck size={14} stroke={2.5} aria-hidden /> : <IconPoint size={14} aria-hidden />}
            {name}
            <span className="sr-only">{isMet ? " (já tem)" : " (falta)"}</span>
          </li>
        );
      })}
    </ul>
  );
}
