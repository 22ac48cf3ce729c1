import type { CompanyOptions } from "@malote/contracts/installation";
import { permissionNames } from "@malote/contracts/permission-names";
import { type FeatureFlag, featureFlags, type Permission, permissions } from "@malote/contracts/policy";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FailedQuery } from "../shell/failed-query.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Switch } from "../ui/switch.tsx";
import { type Installation, installationQuery, useChangeOptions } from "./api.ts";
import { NoticesForm } from "./notices-form.tsx";
import { Panel } from "./panel.tsx";
import styles from "./simulator.module.css";

type BooleanOption = {
  [Name in keyof CompanyOptions]: CompanyOptions[Name] extends boolean ? Name : never;
}[keyof CompanyOptions];

const optionNames: Readonly<Record<BooleanOption, string>> = {
  blocked: "Empresa bloqueada",
  accepted_contract: "Contrato aceito",
  requiresTwoFactor: "Segundo fator obrigatório",
  validationAccount: "Conta de validação",
  hasApiAccess: "Acesso à API",
  hasIntegrationId: "ID de integração nos pagamentos",
  blockWithdrawForOperator: "Operador não resgata saldo",
  showFinanceInfo: "Mostra faturas",
  hasBoletoCharge: "Cobra por boleto",
  hasCardCharge: "Cobra por cartão",
  uses_basic_validation: "Validação básica",
  uses_micro_deposit: "Validação por microdepósito",
  publicEntityNeedsCaixa: "Ente público só na Caixa",
};

const flagNames: Readonly<Record<FeatureFlag, string>> = {
  "card-charge": "Recebíveis de cartão",
  "payin-simplified-version": "Recebimentos simplificados",
  "show-promotional-topbar-app": "Aviso de segurança no topo",
};

const namesOf = <Name extends string>(table: Readonly<Record<Name, string>>) =>
  Object.entries(table) as [Name, string][];

/** Settings that `npm run operator` makes in an installation: states of a company that its own people cannot reach. */
export function InstallationPanel() {
  const installation = useQuery(installationQuery);
  return (
    <Panel
      id="instalacao"
      title="Instalação"
      help="O que o operador da instalação decide. Quem está com a página aberta vê a mudança ao recarregar."
    >
      {installation.isPending ? (
        <LoadingState label="Carregando a instalação">
          <Bone height={200} />
        </LoadingState>
      ) : installation.data ? (
        <>
          <NoticesForm notices={installation.data.notices} shows={installation.data.shows_notices} />
          <Companies companies={installation.data.companies} />
        </>
      ) : (
        <FailedQuery title="Não foi possível carregar a instalação" query={installation} />
      )}
    </Panel>
  );
}

function Companies({ companies }: Pick<Installation, "companies">) {
  const [chosen, setChosen] = useState<string>();
  const company = companies.find(({ id }) => id === chosen) ?? companies[0];
  if (!company) return null;
  return (
    <div className={styles.installation}>
      <fieldset className={styles.choice}>
        <legend className="small muted">Empresa</legend>
        {companies.map(({ id, name }) => (
          <button key={id} type="button" aria-pressed={id === company.id} onClick={() => setChosen(id)}>
            {name}
          </button>
        ))}
      </fieldset>
      <Options key={company.id} {...company} />
    </div>
  );
}

function Options({ id, name, options }: Installation["companies"][number]) {
  const change = useChangeOptions();
  const set = (changed: Partial<CompanyOptions>) => change.mutate({ id, options: changed });
  return (
    <section aria-label={`Opções de ${name}`}>
      <div className={styles.options}>
        {namesOf(optionNames).map(([option, label]) => (
          <Switch
            key={option}
            on={options[option]}
            busy={change.isPending}
            onChange={(on) => set({ [option]: on })}
          >
            {label}
          </Switch>
        ))}
        {featureFlags.map((flag) => (
          <Switch
            key={flag}
            on={options.feature_flags.includes(flag)}
            busy={change.isPending}
            onChange={(on) => set({ feature_flags: withOrWithout(options.feature_flags, flag, on) })}
          >
            {flagNames[flag]}
          </Switch>
        ))}
      </div>
      <details>
        <summary>Permissões</summary>
        <div className={styles.options}>
          {namesOf(permissionNames).map(([permission, label]) => (
            <Switch
              key={permission}
              on={heldBy(options).includes(permission)}
              busy={change.isPending}
              onChange={(on) => set({ permissions: changedPermissions(options, permission, on) })}
            >
              {label}
            </Switch>
          ))}
        </div>
      </details>
    </section>
  );
}

function heldBy({ permissions: held }: CompanyOptions): readonly Permission[] {
  return held.some((code) => code === "all") ? permissions : (held as readonly Permission[]);
}

const withOrWithout = <Code extends string>(codes: readonly Code[], code: Code, on: boolean): Code[] =>
  on ? [...new Set([...codes, code])] : codes.filter((held) => held !== code);

function changedPermissions(options: CompanyOptions, permission: Permission, on: boolean) {
  const list = withOrWithout(heldBy(options), permission, on);
  return list.length === permissions.length ? (["all"] as ["all"]) : list;
}
