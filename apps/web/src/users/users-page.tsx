import type { ResponseOf } from "@malote/contracts/contract";
import { applications, profiles } from "@malote/contracts/policy";
import { applicationNames, profileNames } from "@malote/contracts/profiles";
import type { listUsers, User } from "@malote/contracts/users";
import { IconUserPlus } from "@tabler/icons-react";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CompanyFrame } from "../company/index.ts";
import { ListFaces } from "../shell/list-faces.tsx";
import { useSession } from "../shell/session.ts";
import { useLastPage } from "../shell/use-last-page.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { FilterBar } from "../ui/filter-bar.tsx";
import { Bone } from "../ui/loading-state.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { mayCreateUser, userListQuery } from "./api.ts";
import { NewUserDialog } from "./new-user-dialog.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { UserDetails } from "./user-details.tsx";
import styles from "./users.module.css";

/** Takes the place of an id for the new-user modal. */
const newUser = "novo";
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Raw = Record<string, string | undefined>;
const readSearch = (raw: Raw) => ({
  busca: (raw["busca"] ?? "").slice(0, 100),
  produto: applications.find((id) => id === raw["produto"]) ?? null,
  perfil: profiles.find((id) => id === raw["perfil"]) ?? null,
  pagina: Math.min(1_000_000, Math.max(1, Number.parseInt(raw["pagina"] ?? "1", 10) || 1)),
  usuario: raw["usuario"],
});

export default function UsersPage() {
  const session = useSession();
  const [{ busca, produto, perfil, pagina, usuario }, change] = usePageSearch(readSearch);
  const page = pagina - 1;
  const list = useQuery(userListQuery({ search: busca, application: produto, profile: perfil, page }));
  useLastPage(list, pagina, change);
  const isFiltered = Boolean(busca || produto || perfil);
  if (!session) return null;
  // COM-018: the button shows only with the permission.
  const mayCreate = mayCreateUser(session);
  const close = () => change({ usuario: null });
  return (
    <CompanyFrame
      subtitle="Quem entra na conta da empresa e o que cada pessoa pode fazer."
      actions={
        mayCreate ? (
          <Button
            look="primary"
            icon={<IconUserPlus size={18} aria-hidden />}
            onClick={() => change({ usuario: newUser })}
          >
            Criar usuário
          </Button>
        ) : null
      }
    >
      <FilterBar>
        <SearchField
          label="Nome ou e-mail"
          value={busca}
          onSearch={(text) => change({ busca: text || null, pagina: null }, { replace: true })}
        />
        <ChoiceChip
          label="Produto"
          allLabel="Todos os produtos"
          value={produto}
          options={applications.map((id) => ({ value: id, label: applicationNames[id] }))}
          onChange={(value) => change({ produto: value, pagina: null })}
        />
        <ChoiceChip
          label="Perfil"
          allLabel="Todos os perfis"
          value={perfil}
          options={profiles.map((id) => ({ value: id, label: profileNames[id] }))}
          onChange={(value) => change({ perfil: value, pagina: null })}
        />
        {isFiltered ? (
          <Button
            look="quiet"
            size="sm"
            onClick={() => change({ busca: null, produto: null, perfil: null, pagina: null })}
          >
            Limpar filtros
          </Button>
        ) : null}
      </FilterBar>
      <UserTable
        list={list}
        page={page}
        onOpen={({ id }) => change({ usuario: id })}
        onPage={(at) => change({ pagina: at === 0 ? null : at + 1 })}
      />
      {usuario === newUser && mayCreate ? <NewUserDialog session={session} onClose={close} /> : null}
      {usuario && idPattern.test(usuario) ? (
        <UserDetails key={usuario} id={usuario} session={session} onClose={close} />
      ) : null}
    </CompanyFrame>
  );
}

interface UserTableProps {
  list: UseQueryResult<ResponseOf<typeof listUsers>>;
  page: number;
  onOpen: (user: User) => void;
  onPage: (page: number) => void;
}

function UserTable({ list, page, onOpen, onPage }: UserTableProps): ReactNode {
  return (
    <ListFaces
      query={list}
      loading="Carregando os usuários"
      failed="Não foi possível carregar os usuários"
      bones={<Bone height={260} />}
      emptyFace={({ data }) =>
        data.length > 0 ? null : (
          <EmptyState title="Nenhum usuário encontrado">
            <p>Confira o nome ou o e-mail digitado, ou limpe os filtros.</p>
          </EmptyState>
        )
      }
    >
      {({ data, metadata }) => (
        <>
          <DataTable
            caption="Usuários da empresa"
            columns={columnsFor(onOpen)}
            rows={data}
            keyOf={(user) => user.id}
            onRow={onOpen}
            refetching={list.isPlaceholderData}
          />
          <Pagination {...metadata.pagination} page={page} onPage={onPage} />
        </>
      )}
    </ListFaces>
  );
}

/** COM-012: columns of the users' table. */
const columnsFor = (open: (user: User) => void): Column<User>[] => [
  {
    id: "name",
    heading: "Nome",
    width: 26,
    onPhone: "title",
    cell: (user) => (
      <button
        type="button"
        className={styles.open}
        aria-label={`Abrir o usuário ${user.name}`}
        onClick={() => open(user)}
      >
        {user.name}
      </button>
    ),
  },
  {
    id: "email",
    heading: "E-mail",
    width: 30,
    cell: (user) => (
      <span className={styles.email}>
        {user.email}
        {user.has_password ? null : <span className="small faint">Ainda não criou a senha</span>}
      </span>
    ),
  },
  { id: "security", heading: "Segurança", width: 16, cell: (user) => <SecondFactor user={user} /> },
  {
    id: "profile",
    heading: "Perfil",
    width: 14,
    cell: (user) => <span className={styles.whole}>{profileNames[user.profile]}</span>,
  },
  {
    id: "products",
    heading: "Produtos",
    width: 18,
    cell: (user) => user.applications.map(({ name }) => name).join(", "),
  },
];
