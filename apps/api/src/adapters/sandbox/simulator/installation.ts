/** Simulator calls for the commands of `npm run operator`. */

import type { ResponseOf } from "@malote/contracts/contract";
import type {
  announceNotice,
  changeOptions,
  endNotice,
  readInstallation,
  showNotices,
} from "@malote/contracts/simulator-installation";
import { listCompanies } from "../../../company/index.ts";
import * as operator from "../../../operator/index.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { DatabaseWithSandbox } from "../../../platform/db/database.ts";
import type { Call } from "../../../platform/http/serve.ts";

interface Services {
  db: DatabaseWithSandbox;
  clock: Clock;
}

export async function readAll({ db, clock }: Services): Promise<ResponseOf<typeof readInstallation>> {
  const { companies, ...notices } = await db.withSystem(async (tx) => ({
    companies: await listCompanies(tx),
    shows_notices: await operator.readShowsNotices(tx),
    notices: await operator.listCurrentNotices(tx, clock.now()),
  }));
  const withOptions = await Promise.all(
    companies.map(async ({ id, name }) => ({
      id,
      name,
      options: await db.withCompany(id, operator.readCompanyOptions),
    })),
  );
  return { companies: withOptions, ...notices };
}

export async function change({ db, clock }: Services, { params, body }: Call<typeof changeOptions>) {
  const known = await db.withSystem(listCompanies);
  if (!known.some(({ id }) => id === params.id)) throw new AppError("not_found");
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  return db.withCompany(params.id, (tx) => operator.changeCompanyOptions(tx, given, clock.now()));
}

export async function show({ db, clock }: Services, { body }: Call<typeof showNotices>) {
  await db.withSystem((tx) => operator.showNoticesInSandbox(tx, body.shows, clock.now()));
  return { ok: true as const };
}

export const announce = ({ db, clock }: Services, { body }: Call<typeof announceNotice>) =>
  db.withSystem((tx) => operator.announce(tx, body, clock.now()));

export async function end({ db, clock }: Services, { params }: Call<typeof endNotice>) {
  if (!(await db.withSystem((tx) => operator.endNotice(tx, params.id, clock.now()))))
    throw new AppError("not_found");
  return { ok: true as const };
}
