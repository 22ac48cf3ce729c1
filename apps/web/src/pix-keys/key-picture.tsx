import { IconQrcodeOff } from "@tabler/icons-react";
import type { PixKey } from "./api.ts";
import { keyText } from "./key-text.ts";
import styles from "./pix-keys.module.css";

/** Code to pay into the key, or a drawing that shows there is none. */
export function KeyPicture({ of }: { of: PixKey }) {
  return (
    <div className={styles.picture}>
      {of.pix_qrcode_image ? (
        <img src={`data:image/png;base64,${of.pix_qrcode_image}`} alt={`Código QR da chave ${keyText(of)}`} />
      ) : (
        <span className={`small ${styles.none}`}>
          <IconQrcodeOff size={40} stroke={1.4} aria-hidden />
          Código QR indisponível para esta chave
        </span>
      )}
    </div>
  );
}
