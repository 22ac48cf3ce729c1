import { useBrand } from "../shell/brand.ts";

/** COM-029: whom to ask, below the table. */
export function BillingHelp() {
  const { supportUrl } = useBrand();
  return (
    <p className="muted">
      Dúvidas sobre uma fatura?{" "}
      {supportUrl ? (
        <a href={supportUrl} target="_blank" rel="noreferrer">
          Fale com o suporte
        </a>
      ) : (
        "Fale com o suporte"
      )}
      .
    </p>
  );
}
