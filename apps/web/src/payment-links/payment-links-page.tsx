import { createPaymentLink, type PaymentLink } from "@malote/contracts/payment-links";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { checkpoints } from "../shell/checkpoints.ts";
import { ListPage } from "../shell/list-page.tsx";
import { useListSearch } from "../shell/list-search.ts";
import { pathOf } from "../shell/routes.ts";
import { may, useSession } from "../shell/session.ts";
import { buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { counted } from "../ui/format.ts";
import { PageHeader } from "../ui/page-header.tsx";
import { paymentLinksQuery } from "./api.ts";
import { PaymentLinksTable } from "./payment-links-table.tsx";
import { RemoveLinkDialog } from "./remove-link-dialog.tsx";
import { paymentLinksSearch } from "./search.ts";

export default function PaymentLinksPage() {
  const session = useSession();
  const search = useListSearch(paymentLinksSearch);
  const list = useQuery(paymentLinksQuery(search.page - 1));
  const [toRemove, setToRemove] = useState<PaymentLink>();
  const isEmpty = list.data?.metadata.pagination.totalItems === 0;

  // LNK-024: opening the list is a checkpoint.
  useEffect(() => void checkpoints.create("HAS_OPENED_PAYMENT_LINKS"), []);

  const create = may(createPaymentLink, session) ? (
    <Link to={pathOf("NewPaymentLinkPage")} className={buttonClass({ look: "primary" })}>
      <IconPlus aria-hidden />
      Criar link de pagamento
    </Link>
  ) : null;
  return (
    <>
      <ListPage
        search={search}
        query={list}
        header={
          <PageHeader
            title="Links de pagamento"
            subtitle={
              list.data && !isEmpty
                ? counted(list.data.metadata.pagination.totalItems, "link", "links")
                : "Envie um endereço, e quem paga escolhe como."
            }
            actions={isEmpty ? null : create}
          />
        }
        loading="Carregando os links de pagamento"
        failed="Ocorreu um erro ao buscar os links de pagamento."
        emptyFace={({ metadata }) =>
          metadata.pagination.totalItems > 0 ? null : (
            <EmptyState drawing="money" title="Você não possui Links de Pagamento" action={create}>
              <p>Crie um novo link e acompanhe por aqui.</p>
            </EmptyState>
          )
        }
        numbered={({ metadata }) => metadata.pagination}
      >
        {({ items }) => (
          <PaymentLinksTable links={items} refetching={list.isPlaceholderData} onRemove={setToRemove} />
        )}
      </ListPage>
      {toRemove ? <RemoveLinkDialog link={toRemove} onClose={() => setToRemove(undefined)} /> : null}
    </>
  );
}
