import { type ReactNode, Suspense, useState } from "react";
import { PixKeyDialog } from "../pix-keys/parts.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { KeyCards, useMayAddKey } from "./key-cards.tsx";
import { ProviderAccount } from "./provider-account.tsx";
import styles from "./settings.module.css";
import { SettingsFrame } from "./settings-frame.tsx";
import { WithdrawalAccount } from "./withdrawal-account.tsx";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `?chave=nova` opens the wizard for a new key; an id opens that key (SET-002, SET-006). */
function readSearch(raw: Record<string, string | undefined>) {
  const key = raw["chave"];
  return { chave: key === "nova" || (key && uuid.test(key)) ? key : undefined };
}

export default function BankDataPage(): ReactNode {
  const [{ chave }, change] = usePageSearch(readSearch);
  const dialog = {
    onClose: () => change({ chave: null }, { replace: true }),
    onCreated: (id: string) => change({ chave: id }, { replace: true }),
  };
  return (
    <SettingsFrame subtitle="As chaves e contas por onde o dinheiro da empresa entra e sai.">
      <div className={styles.sections}>
        <KeyCards onOpen={(id) => change({ chave: id })} />
        <ProviderAccount />
        <WithdrawalAccount />
      </div>
      <Suspense>
        {chave === "nova" ? <NewKeyDialog {...dialog} /> : null}
        {chave && chave !== "nova" ? <PixKeyDialog id={chave} {...dialog} /> : null}
      </Suspense>
    </SettingsFrame>
  );
}

/** Opens only for people who see the card of a new key. */
function NewKeyDialog(dialog: { onClose: () => void; onCreated: (id: string) => void }) {
  const mayAdd = useMayAddKey();
  const [isOpen, setOpen] = useState(false);
  // Stays open with what was typed when another person adds the last allowed key meanwhile.
  if (mayAdd && !isOpen) setOpen(true);
  return isOpen ? <PixKeyDialog id={undefined} {...dialog} /> : null;
}
