/** The company's own Pix keys: registered, proven, claimed, released and deleted. */
import { ownPixKeyTypes, pixKeyStatuses } from "@malote/domain/own-pix-key";
import { pixKeyTypes } from "@malote/domain/pix-key";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOnly, everyProfile } from "./policy.ts";
import { byId, id, instant } from "./wire.ts";

/** PIX-001: a Pix key of the company. */
export const pixKey = z.object({
  id,
  key_type: z.enum(pixKeyTypes),
  /** Null while the directory has not made the random key yet. */
  key: z.string().nullable(),
  status: z.enum(pixKeyStatuses),
  /** Since when it is the company's in the directory. */
  ownership_date: instant.nullable(),
  /** A PNG in base64, of the code below. */
  pix_qrcode_image: z.string().nullable(),
  pix_qrcode_emv_payload: z.string().nullable(),
  updated_at: instant,
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type PixKeyOnWire = z.infer<typeof pixKey>;

const mayRegister = { ...adminOnly, permission: "pix_key_register" } as const;
const mayDelete = { ...adminOnly, permission: "pix_key_delete" } as const;
/** By a person: payers reach the company by the key, and its next holder gets their money. */
const mayRelease = { ...adminOnly, machine: false, permission: "pix_key_accept_portability" } as const;

/** PIX-052: all keys of the company. */
export const listPixKeys = contract({
  id: "listPixKeys",
  base: "payments",
  method: "GET",
  path: "/app/pix/key",
  summary: "Chaves Pix da empresa, da mais antiga à mais nova",
  policy: everyProfile,
  response: z.object({ data: z.array(pixKey) }),
});

/** PIX-025. A removed key is still listed, so that a caller that polls for the removal sees it. */
export const readPixKey = contract({
  id: "readPixKey",
  base: "payments",
  method: "GET",
  path: "/app/pix/key/:id",
  summary: "Ler uma chave Pix",
  policy: everyProfile,
  params: byId,
  response: pixKey,
});

/** PIX-024: a random key is requested without a value. */
export const createPixKey = contract({
  id: "createPixKey",
  base: "payments",
  method: "POST",
  path: "/pix/key",
  summary: "Cadastrar uma chave Pix; com um id já usado e a mesma chave devolve a chave existente",
  policy: mayRegister,
  body: z.object({
    id: id.optional(),
    key_type: z.enum(ownPixKeyTypes),
    /** Left out for a random key, and for the CNPJ, which is always the company's own. */
    key: z.string().max(100).optional(),
  }),
  response: pixKey,
});

/** PIX-030: the code proves that the key is theirs. */
export const verifyPixKey = contract({
  id: "verifyPixKey",
  base: "payments",
  method: "PUT",
  path: "/pix/key/:id/verify",
  summary: "Confirmar a posse da chave com o código recebido nela",
  policy: mayRegister,
  params: byId,
  body: z.object({ code: z.string().trim().min(1).max(20) }),
  response: pixKey,
});

/** PIX-031: sends another verification code. */
export const resendPixKeyCode = contract({
  id: "resendPixKeyCode",
  base: "payments",
  method: "PUT",
  path: "/pix/key/:id/resendVerificationCode",
  summary: "Enviar outro código de verificação",
  policy: mayRegister,
  params: byId,
  response: z.object({
    /** Seconds until another one may be asked for (PIX-004, PIX-032). */
    blockedTime: z.int(),
  }),
});

/** PIX-035: requests a portability or a claim. */
export const claimPixKey = contract({
  id: "claimPixKey",
  base: "payments",
  method: "POST",
  path: "/pix/key/:id/claim",
  summary: "Pedir a portabilidade ou a reivindicação de uma chave",
  policy: mayRegister,
  params: byId,
  response: pixKey,
});

/**
 * PIX-040, PIX-043: cancels our own claim, or keeps a key that another claims. The key's status decides which of the
 * two, and with it the needed permission: pix_key_register, or pix_key_accept_portability.
 */
export const cancelPixKeyClaim = contract({
  id: "cancelPixKeyClaim",
  base: "payments",
  method: "POST",
  path: "/pix/key/:id/claim/cancel",
  summary: "Cancelar um pedido de chave, o nosso ou o de outra instituição",
  policy: adminOnly,
  params: byId,
  response: pixKey,
});

/** PIX-044: releases the key to its claimer. */
export const confirmPixKeyClaim = contract({
  id: "confirmPixKeyClaim",
  base: "payments",
  method: "POST",
  path: "/pix/key/:id/claim/confirm",
  summary: "Liberar a chave para quem a pediu",
  policy: mayRelease,
  params: byId,
  response: pixKey,
});

/** PIX-050: the key is removed once the directory confirms. */
export const deletePixKey = contract({
  id: "deletePixKey",
  base: "payments",
  method: "DELETE",
  path: "/pix/key/:id",
  summary:
    "Excluir uma chave Pix. Uma credencial exclui só o que o diretório não conhece; uma chave vinculada, só uma pessoa exclui",
  policy: mayDelete,
  params: byId,
  response: pixKey,
});
