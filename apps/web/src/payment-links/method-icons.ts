import type { LinkMethod } from "@malote/domain/payment-link";
import { IconBarcode, IconCreditCard, IconQrcode } from "@tabler/icons-react";

export const methodIcons: Readonly<Record<LinkMethod, typeof IconQrcode>> = {
  pix: IconQrcode,
  boleto: IconBarcode,
  credit_card: IconCreditCard,
};
