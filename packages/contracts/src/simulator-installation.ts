/** Settings of the installation's operator for the demo companies; available only outside production. */
import * as z from "zod";
import { contract } from "./contract.ts";
import { companyOptions, newNotice, notice } from "./installation.ts";
import { simulatorOnly } from "./policy.ts";
import { byId, done, id } from "./wire.ts";

/** Reads the settings of `npm run operator` for the demo companies. */
export const readInstallation = contract({
  id: "readInstallation",
  base: "simulator",
  method: "GET",
  path: "/installation",
  summary: "Opções das empresas e avisos em vigor",
  policy: simulatorOnly,
  response: z.object({
    companies: z.array(z.object({ id, name: z.string(), options: companyOptions })),
    shows_notices: z.boolean(),
    notices: z.array(notice),
  }),
});

export const changeOptions = contract({
  id: "changeOptions",
  base: "simulator",
  method: "PUT",
  path: "/installation/companies/:id",
  summary: "Mudar opções de uma empresa, como o operador da instalação",
  policy: simulatorOnly,
  params: byId,
  body: companyOptions.partial().refine((body) => Object.keys(body).length > 0),
  response: companyOptions,
});

export const showNotices = contract({
  id: "showNotices",
  base: "simulator",
  method: "PUT",
  path: "/installation/notices",
  summary: "Mostrar ou não os avisos no sandbox",
  policy: simulatorOnly,
  body: z.object({ shows: z.boolean() }),
  response: done,
});

export const announceNotice = contract({
  id: "announceNotice",
  base: "simulator",
  method: "POST",
  path: "/installation/notices",
  summary: "Publicar um incidente ou uma manutenção",
  policy: simulatorOnly,
  body: newNotice,
  response: notice,
});

export const endNotice = contract({
  id: "endNotice",
  base: "simulator",
  method: "DELETE",
  path: "/installation/notices/:id",
  summary: "Encerrar um aviso",
  policy: simulatorOnly,
  params: byId,
  response: done,
});
