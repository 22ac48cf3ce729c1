import { formatPixKey } from "@malote/domain/pix-key";
import { pixKeyTypeNames } from "../transfers/index.ts";
import { cutText } from "../ui/format.ts";
import type { PixKey } from "./api.ts";

/** PIX-003, PIX-009: formats a key as people write it. A random key has no text until the directory has created it. */
export const keyText = ({ key_type, key }: Pick<PixKey, "key_type" | "key">): string =>
  key === null ? pixKeyTypeNames[key_type] : formatPixKey(key_type, key);

export const keyTextMax = { inWizard: 40, inRemoval: 60 } as const;

export const cutKey = (key: Pick<PixKey, "key_type" | "key">, max: number): string =>
  cutText(keyText(key), max);
