import { IconPlus } from "@tabler/icons-react";
import { useLayerSearch } from "../shell/layer-search.ts";
import { Button } from "../ui/button.tsx";
import styles from "./pix-keys.module.css";

/** SHL-011: opens above any page, at that page's address. */
export function SendBalanceButton() {
  const [, change] = useLayerSearch();
  return (
    <Button
      icon={<IconPlus size={18} aria-hidden />}
      className={styles.send ?? ""}
      title="Enviar saldo"
      onClick={() => change({ "enviar-saldo": "pix" })}
    >
      <span>Enviar saldo</span>
    </Button>
  );
}
