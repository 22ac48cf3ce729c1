/** The people of a company, as its admins see them (COM-012 to COM-025). */
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminPerson, applications, type Policy, profiles } from "./policy.ts";
import { application } from "./session.ts";
import { byId, done, id, listMetadata, pageFromZero } from "./wire.ts";

/** A user as the company's admins see them (COM-014). */
export const user = z.object({
  id,
  name: z.string(),
  email: z.string(),
  has_two_factor_enabled: z.boolean(),
  /** False until the person has followed the link in the first e-mail. */
  has_password: z.boolean(),
  profile: z.enum(profiles),
  applications: z.array(application),
});
export type User = z.infer<typeof user>;

/** A user has at least one application, and therefore a profile (COM-019). */
const access = {
  profile: z.enum(profiles),
  applications: z.array(z.enum(applications)).min(1).max(applications.length),
};

export const listUsers = contract({
  id: "listUsers",
  base: "payments",
  method: "GET",
  path: "/user",
  summary: "Usuários da empresa",
  policy: adminPerson,
  query: z.object({
    page: pageFromZero,
    /** A part of the name or of the e-mail address, without regard to case and accents. */
    search: z.string().max(100).optional(),
    application: z.enum(applications).optional(),
    profile: z.enum(profiles).optional(),
  }),
  response: z.object({ data: z.array(user), metadata: listMetadata }),
});

export const readUser = contract({
  id: "readUser",
  base: "payments",
  method: "GET",
  path: "/user/:id",
  summary: "Um usuário da empresa",
  policy: adminPerson,
  params: byId,
  response: user,
});

/** Creates a user (COM-018, COM-021) after the caller has entered their password again. */
export const createUser = contract({
  id: "createUser",
  base: "payments",
  method: "POST",
  path: "/user",
  summary: "Criar um usuário, que recebe por e-mail um link para criar a senha",
  policy: { ...adminPerson, permission: "user_create" },
  body: z.object({ name: z.string().max(120), email: z.string().max(255), ...access }),
  response: user,
});

export const changeUser = contract({
  id: "changeUser",
  base: "payments",
  method: "PUT",
  path: "/user/:id",
  summary: "Alterar o perfil e os produtos de um usuário",
  policy: adminPerson,
  params: byId,
  body: z.object(access),
  response: user,
});

export const removeUser = contract({
  id: "removeUser",
  base: "payments",
  method: "DELETE",
  path: "/user/:id",
  summary: "Remover um usuário",
  policy: adminPerson,
  params: byId,
  response: done,
});

export const sendPasswordLink = contract({
  id: "sendPasswordLink",
  base: "payments",
  method: "POST",
  path: "/user/:id/passwordLink",
  summary: "Enviar a um usuário um novo link para criar a senha; o anterior deixa de valer",
  policy: adminPerson,
  params: byId,
  response: done,
});

/**
 * Resets the second factor of a person who lost both phone and recovery codes. They sign in with the password alone and
 * set it up again.
 */
export const resetTwoFactor = contract({
  id: "resetTwoFactor",
  base: "payments",
  method: "POST",
  path: "/user/:id/resetTwoFactor",
  summary: "Desativar a autenticação em 2 fatores de outro usuário, que é avisado por e-mail",
  policy: adminPerson,
  params: byId,
  response: done,
});

/** The same calls on the API of the validation application, for companies without payments (COM-016). */
const inValidation = { ...adminPerson, applications: ["validation"] } as const satisfies Policy;

export const listValidationUsers = contract({
  ...listUsers,
  id: "listValidationUsers",
  base: "contacerta",
  summary: "Usuários da empresa, na ContaCerta",
  policy: inValidation,
});

export const readValidationUser = contract({
  ...readUser,
  id: "readValidationUser",
  base: "contacerta",
  summary: "Um usuário da empresa, na ContaCerta",
  policy: inValidation,
});

export const createValidationUser = contract({
  ...createUser,
  id: "createValidationUser",
  base: "contacerta",
  summary: "Criar um usuário na ContaCerta, que recebe por e-mail um link para criar a senha",
  policy: { ...inValidation, permission: "user_create" },
});

export const changeValidationUser = contract({
  ...changeUser,
  id: "changeValidationUser",
  base: "contacerta",
  summary: "Alterar o perfil e os produtos de um usuário, na ContaCerta",
  policy: inValidation,
});

export const removeValidationUser = contract({
  ...removeUser,
  id: "removeValidationUser",
  base: "contacerta",
  summary: "Remover um usuário, na ContaCerta",
  policy: inValidation,
});

export const resetValidationTwoFactor = contract({
  ...resetTwoFactor,
  id: "resetValidationTwoFactor",
  base: "contacerta",
  summary: "Desativar a autenticação em 2 fatores de outro usuário, na ContaCerta",
  policy: inValidation,
});

export const sendValidationPasswordLink = contract({
  ...sendPasswordLink,
  id: "sendValidationPasswordLink",
  base: "contacerta",
  summary: "Enviar a um usuário um novo link para criar a senha, na ContaCerta; o anterior deixa de valer",
  policy: inValidation,
});
