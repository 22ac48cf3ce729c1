import { type ReactNode, Suspense, useState } from "react";
import { PixKeyDialog } from "../pix-keys/parts.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { KeyCards, useMayAddKey } from "./key-cards.tsx";
import { ProviderAccount } from "./provider-account.tsx";
import { bankDataSearch } from "./search.ts";
import styles from "./settings.module.css";
import { SettingsFrame } from "./settings-frame.tsx";
import { WithdrawalAccount } from "./withdrawal-account.tsx";

export default function BankDataPage(): ReactNode {
  const [{ chave }, change] = usePageSearch(bankDataSearch);
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
