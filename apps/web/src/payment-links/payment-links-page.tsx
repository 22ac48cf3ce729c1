import { createPaymentLink, type PaymentLink } from "@malote/contracts/payment-links";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { checkpoints } from "../shell/checkpoints.ts";
import { ListFaces } from "../shell/list-faces.tsx";
import { pathOf } from "../shell/routes.ts";
import { may, useSession } from "../shell/session.ts";
import { useLastPage } from "../shell/use-last-page.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { counted } from "../ui/format.ts";
import { PageHeader } from "../ui/page-header.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { paymentLinksQuery } from "./api.ts";
import { PaymentLinksTable } from "./payment-links-table.tsx";
import { RemoveLinkDialog } from "./remove-link-dialog.tsx";

/** Page number, counted from 1 in the address. */
const readSearch = (raw: Record<string, string | undefined>) => ({
  pagina: Math.max(1, Math.floor(Number(raw["pagina"]) || 1)),
});

export default function PaymentLinksPage() {
  const session = useSession();
  const [{ pagina }, change] = usePageSearch(readSearch);
  const list = useQuery(paymentLinksQuery(pagina - 1));
  const [toRemove, setToRemove] = useState<PaymentLink>();
  const isEmpty = list.data?.metadata.pagination.totalItems === 0;

  // LNK-024: opening the list is a checkpoint.
  useEffect(() => void checkpoints.create("HAS_OPENED_PAYMENT_LINKS"), []);

  useLastPage(list, pagina, change);

  const create = may(createPaymentLink, session) ? (
    <Link to={pathOf("NewPaymentLinkPage")} className={buttonClass({ look: "primary" })}>
      <IconPlus aria-hidden />
      Criar link de pagamento
    </Link>
  ) : null;
  return (
    <>
      <PageHeader
        title="Links de pagamento"
        subtitle={
          list.data && !isEmpty
            ? counted(list.data.metadata.pagination.totalItems, "link", "links")
            : "Envie um endereço, e quem paga escolhe como."
        }
        actions={isEmpty ? null : create}
      />
      <ListFaces
        query={list}
        loading="Carregando os links de pagamento"
        failed="Ocorreu um erro ao buscar os links de pagamento."
        emptyFace={({ metadata }) =>
          metadata.pagination.totalItems > 0 ? null : (
            <EmptyState drawing="money" title="Você não possui Links de Pagamento" action={create}>
              <p>Crie um novo link e acompanhe por aqui.</p>
            </EmptyState>
          )
        }
      >
        {({ items, metadata }) => (
          <>
            <PaymentLinksTable links={items} refetching={list.isPlaceholderData} onRemove={setToRemove} />
            <Pagination
              page={pagina - 1}
              onPage={(page) => change({ pagina: page === 0 ? null : page + 1 })}
              {...metadata.pagination}
            />
          </>
        )}
      </ListFaces>
      {toRemove ? <RemoveLinkDialog link={toRemove} onClose={() => setToRemove(undefined)} /> : null}
    </>
  );
}
