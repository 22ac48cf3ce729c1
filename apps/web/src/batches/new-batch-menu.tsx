import type { BatchType } from "@malote/domain/batch-status";
import { IconArrowsExchange, IconBarcode, IconChevronDown, IconPlus } from "@tabler/icons-react";
import { Button } from "../ui/button.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";

interface NewBatchMenuProps {
  busy: boolean;
  onChoose: (type: BatchType) => void;
}

/** BAT-013: the types that 'Novo lote' offers. */
export function NewBatchMenu({ busy, onChoose }: NewBatchMenuProps) {
  return (
    <Menu
      align="end"
      opener={
        <Button look="primary" busy={busy} icon={<IconPlus aria-hidden />}>
          Novo lote
          <IconChevronDown aria-hidden />
        </Button>
      }
    >
      <MenuItem icon={<IconArrowsExchange size={18} aria-hidden />} onClick={() => onChoose("TRANSFER")}>
        Lotes de Transferências
      </MenuItem>
      <MenuItem icon={<IconBarcode size={18} aria-hidden />} onClick={() => onChoose("BILLET")}>
        Lotes de Boletos
      </MenuItem>
    </Menu>
  );
}
