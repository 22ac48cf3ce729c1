import { applications, profiles } from "@malote/contracts/policy";
import { applicationNames, profileNames } from "@malote/contracts/profiles";
import type { User } from "@malote/contracts/users";
import { IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { CompanyFrame } from "../company/index.ts";
import { ListPage } from "../shell/list-page.tsx";
import { useListSearch } from "../shell/list-search.ts";
import { isUuid } from "../shell/search-params.ts";
import { useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Bone } from "../ui/loading-state.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { mayCreateUser, userListQuery } from "./api.ts";
import { NewUserDialog } from "./new-user-dialog.tsx";
import { usersSearch } from "./search.ts";
import { SecondFactor } from "./second-factor.tsx";
import { UserDetails } from "./user-details.tsx";
import styles from "./users.module.css";

/** Takes the place of an id for the new-user modal. */
const newUser = "novo";

export default function UsersPage() {
  const session = useSession();
  const search = useListSearch(usersSearch);
  const { busca, produto, perfil, usuario } = search.values;
  const { change, filter } = search;
  const list = useQuery(
    userListQuery({ search: busca, application: produto, profile: perfil, page: search.page - 1 }),
  );
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
      <ListPage
        search={search}
        query={list}
        loading="Carregando os usuários"
        failed="Não foi possível carregar os usuários"
        filters={
          <>
            <SearchField
              label="Nome ou e-mail"
              value={busca}
              onSearch={(text) => filter({ busca: text || null }, { replace: true })}
            />
            <ChoiceChip
              label="Produto"
              allLabel="Todos os produtos"
              value={produto}
              options={applications.map((id) => ({ value: id, label: applicationNames[id] }))}
              onChange={(value) => filter({ produto: value })}
            />
            <ChoiceChip
              label="Perfil"
              allLabel="Todos os perfis"
              value={perfil}
              options={profiles.map((id) => ({ value: id, label: profileNames[id] }))}
              onChange={(value) => filter({ perfil: value })}
            />
          </>
        }
        bones={<Bone height={260} />}
        emptyFace={({ data }) =>
          data.length > 0 ? null : (
            <EmptyState title="Nenhum usuário encontrado">
              <p>Confira o nome ou o e-mail digitado, ou limpe os filtros.</p>
            </EmptyState>
          )
        }
        numbered={({ metadata }) => metadata.pagination}
      >
        {({ data }) => (
          <DataTable
            caption="Usuários da empresa"
            columns={columnsFor(({ id }) => change({ usuario: id }))}
            rows={data}
            keyOf={(user) => user.id}
            onRow={({ id }) => change({ usuario: id })}
            refetching={list.isPlaceholderData}
          />
        )}
      </ListPage>
      {usuario === newUser && mayCreate ? <NewUserDialog session={session} onClose={close} /> : null}
      {usuario && isUuid(usuario) ? (
        <UserDetails key={usuario} id={usuario} session={session} onClose={close} />
      ) : null}
    </CompanyFrame>
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
