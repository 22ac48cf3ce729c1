import { Dialog } from "../ui/dialog.tsx";
import styles from "./help-sheet.module.css";

const shortcuts = [
  ["Ctrl K", "Buscar um lote ou ir para uma página"],
  ["/", "Ir para a busca da página"],
  ["?", "Mostrar esta lista"],
  ["Esc", "Fechar o que está por cima"],
  ["Enter", "Confirmar a opção em destaque"],
] as const;

export default function HelpSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title="Atalhos do teclado">
      <dl className={styles.list}>
        {shortcuts.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
