import { problemsOfNewPassword } from "../ui/password-rules.tsx";

export interface PasswordValues {
  oldPassword: string;
  newPassword: string;
  newPasswordConfirmation: string;
}
export type PasswordField = keyof PasswordValues;

/** Returns one sentence for each field that keeps the form from being sent (ACC-010, ACC-011). */
export const checkPasswords = (values: PasswordValues): Partial<Record<PasswordField, string>> => ({
  ...(!values.oldPassword && { oldPassword: "Digite a senha atual" }),
  ...problemsOfNewPassword(values.newPassword, values.newPasswordConfirmation),
});
