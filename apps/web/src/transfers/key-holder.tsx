import { lookUpPixKey } from "@malote/contracts/lookups";
import { isLikeName } from "@malote/domain/person-name";
import { normalisePixKey, pixKeyProblem } from "@malote/domain/pix-key";
import { isTaxId } from "@malote/domain/tax-id";
import { useQuery } from "@tanstack/react-query";
import { call } from "../shell/call.ts";
import { may, useSession } from "../shell/session.ts";
import { formatDateTime } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import type { TransferForm } from "./transfer-form.ts";

/** Returns the key to look up, once it is complete, with the document that its holder should have. */
export function wholeKey(
  form: TransferForm,
): { type: TransferForm["pix_key_type"]; key: string; document: string } | null {
  if (form.way !== "pix" || pixKeyProblem(form.pix_key_type, form.pix_key)) return null;
  const { type, key } = normalisePixKey({ type: form.pix_key_type, key: form.pix_key });
  const document = form.pix_key_validation || form.cpf_cnpj;
  return { type, key, document: isTaxId(document) ? document : "" };
}

/**
 * Shows the key's holder before anything is paid. Requested once a field was left, because every lookup counts at
 * Bacen.
 */
export function KeyHolderNotice({ asked, form }: { asked: ReturnType<typeof wholeKey>; form: TransferForm }) {
  const session = useSession();
  const isCurrent = asked !== null && asked.key === wholeKey(form)?.key;
  const holder = useQuery({
    queryKey: ["key-holder", asked],
    queryFn: ({ signal }) =>
      call(lookUpPixKey, {
        body: {
          pix_key_type: asked?.type ?? "CNPJ",
          pix_key: asked?.key ?? "",
          ...(form.name.trim() && { name: form.name.trim() }),
          ...(asked?.document && { cpf_cnpj: asked.document }),
        },
        signal,
      }),
    enabled: isCurrent && may(lookUpPixKey, session),
    staleTime: 600_000,
    retry: false,
  });
  if (!isCurrent || !holder.data) return null;
  const { status, name, cpf_cnpj, bank, differs, is_salary_account, asked_at, asked_by } = holder.data;
  if (status === "limited")
    return (
      <Notice tone="yellow" title="Titular da chave não consultado">
        A empresa consultou muitas chaves em pouco tempo. Aguarde alguns minutos para ver de quem é esta
        chave.
      </Notice>
    );
  if (status === "unavailable")
    return (
      <Notice tone="yellow" title="Titular da chave não consultado">
        O diretório do Pix não respondeu. Confira a chave com quem vai receber.
      </Notice>
    );
  if (status === "not_found")
    return (
      <Notice tone="red" title="Chave Pix não encontrada">
        Ninguém tem esta chave. Peça a chave certa a quem vai receber.
      </Notice>
    );
  const owner = [name, cpf_cnpj, bank?.name].filter(Boolean).join(" · ");
  const when = asked_at && `Consultado em ${formatDateTime(asked_at)}${asked_by ? ` por ${asked_by}` : ""}.`;
  if (is_salary_account)
    return (
      <Notice tone="red" title={owner}>
        É uma conta salário, que não recebe Pix.
      </Notice>
    );
  if (differs)
    return (
      <Notice tone="yellow" title={`A chave é de ${owner}`}>
        O documento informado é outro. Confirme com quem vai receber. {when}
      </Notice>
    );
  if (!asked?.document && form.name.trim() && !isLikeName(form.name, name ?? ""))
    return (
      <Notice tone="yellow" title={`A chave é de ${owner}`}>
        O nome informado é outro. Confirme com quem vai receber, ou informe o CPF ou CNPJ do dono da chave.{" "}
        {when}
      </Notice>
    );
  // No name or document was entered to compare the holder with.
  const isCompared = Boolean(asked?.document || form.name.trim());
  return (
    <Notice tone={isCompared ? "green" : "blue"} title={owner}>
      {when}
    </Notice>
  );
}
