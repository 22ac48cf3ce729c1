/** The company's own Pix keys: registration, verification, claims, release and deletion. */
import { ownPixKeyTypes, pixKeyStatuses } from "@malote/domain/own-pix-key";
import { pixKeyTypes } from "@malote/domain/pix-key";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOnly, everyProfile } from "./policy.ts";
import { byId, id, instant } from "./wire.ts";

/** A Pix key of the company (PIX-001). */
export const pixKey = z.object({
  id,
  key_type: z.enum(pixKeyTypes),
  /** Null until the directory has generated the random key. */
  key: z.string().nullable(),
  status: z.enum(pixKeyStatuses),
  /** The moment from which the directory lists it as the company's. */
  ownership_date: instant.nullable(),
  /** A base64 PNG of the code below. */
  pix_qrcode_image: z.string().nullable(),
  pix_qrcode_emv_payload: z.string().nullable(),
  updated_at: instant,
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type PixKeyOnWire = z.infer<typeof pixKey>;

const mayRegister = { ...adminOnly, permission: "pix_key_register" } as const;
const mayDelete = { ...adminOnly, permission: "pix_key_delete" } as const;
/** Only a person may release a key: payers reach the company by it, and its next holder gets their money. */
const mayRelease = { ...adminOnly, machine: false, permission: "pix_key_accept_portability" } as const;

/** Lists all keys of the company (PIX-052). */
export const listPixKeys = contract({
  id: "listPixKeys",
  base: "payments",
  method: "GET",
  path: "/app/pix/key",
  summary: "Chaves Pix da empresa, da mais antiga à mais nova",
  policy: everyProfile,
  response: z.object({ data: z.array(pixKey) }),
});

/** Reads one key (PIX-025). Removed keys remain readable, so that a caller that polls for the removal sees it. */
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

/** Requests a key (PIX-024), which has no value when it is random. */
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
    /** Omitted for a random key, and for the CNPJ, which is always the company's own. */
    key: z.string().max(100).optional(),
  }),
  response: pixKey,
});

/** Verifies a key by the code sent to it (PIX-030). */
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

/** Sends another verification code (PIX-031). */
export const resendPixKeyCode = contract({
  id: "resendPixKeyCode",
  base: "payments",
  method: "PUT",
  path: "/pix/key/:id/resendVerificationCode",
  summary: "Enviar outro código de verificação",
  policy: mayRegister,
  params: byId,
  response: z.object({
    /** Seconds until the next code may be requested (PIX-004, PIX-032). */
    blockedTime: z.int(),
  }),
});

/** Requests a portability or a claim (PIX-035). */
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
 * Cancels our own claim, or keeps a key that another institution claims (PIX-040, PIX-043). The key's status decides
 * between the two, and with it the needed permission: pix_key_register or pix_key_accept_portability.
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

/** Releases the key to its claimer (PIX-044). */
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

/** Deletes a key; the removal completes once the directory confirms it (PIX-050). */
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
