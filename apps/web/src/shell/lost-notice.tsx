import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

interface LostNoticeProps {
  /** Text as `A devolução de R$ 10,00 pode já ter sido feita`. */
  title: string;
  onDiscard: () => void;
}

/** Warns that a sent request has no answer and may have been executed (see `useLostRequest`). */
export function LostNotice({ title, onDiscard }: LostNoticeProps) {
  return (
    <Notice
      tone="yellow"
      title={title}
      alert
      action={
        <Button size="sm" look="quiet" onClick={onDiscard}>
          Descartar
        </Button>
      }
    >
      A resposta se perdeu no caminho. Envie de novo para saber: o valor não sai duas vezes. Antes de
      descartar, confira no Saldo se ele já saiu.
    </Notice>
  );
}
