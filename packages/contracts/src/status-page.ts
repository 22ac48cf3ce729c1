import * as z from "zod";
import { contract } from "./contract.ts";
import { anyPerson } from "./policy.ts";
import { instant, webAddress } from "./wire.ts";

export const readStatusPage = contract({
  id: "readStatusPage",
  base: "payments",
  method: "GET",
  path: "/app/statusPage",
  summary: "Incidente aberto e manutenção marcada ou em andamento, da instalação ou da página de status",
  policy: anyPerson,
  response: z.object({
    incident: z.object({ name: z.string(), shortlink: webAddress }).nullable(),
    maintenance: z
      .object({ name: z.string(), shortlink: webAddress, scheduled_for: instant, scheduled_until: instant })
      .nullable(),
  }),
});
