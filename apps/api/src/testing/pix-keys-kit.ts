/** Adds, verifies and reads the company's own Pix keys in tests. */
import type { Contract } from "@malote/contracts/contract";
import { createPixKey, readPixKey, verifyPixKey } from "@malote/contracts/pix-keys";
import { listDirectory } from "@malote/contracts/simulator";
import type { Person } from "./app.ts";
import { setCompany } from "./operator-kit.ts";
import { auroraId, type PaymentsKit } from "./payments-kit.ts";

export function pixKeyCalls(kit: () => PaymentsKit) {
  const add = (key_type: string, key?: string, by: Person = kit().admin) =>
    by.call(createPixKey, { body: { key_type, ...(key !== undefined && { key }) } });

  const one = async (id: string, by: Person = kit().admin) =>
    (await by.call(readPixKey, { params: { id } })).body;

  const fetchStatus = async (id: string, by?: Person): Promise<string> => (await one(id, by)).status;

  const act = (contract: Contract, id: string, by: Person = kit().admin, body?: object) =>
    by.call(contract, { params: { id }, ...(body && { body }) });

  const simulator = async (contract: Contract, input: object = {}) => {
    const answer = await kit().call(contract, input);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };

  const withoutPermission = async (permission: string, work: () => Promise<void>) => {
    const set = (permissions: string[]) => setCompany(kit().services, auroraId, { permissions });
    const most = ["platform_access", "pix_key_register", "pix_key_delete", "pix_key_accept_portability"];
    await set(most.filter((one) => one !== permission));
    try {
      await work();
    } finally {
      await set(["all"]);
    }
  };

  /** Returns the last code sent to a phone. */
  async function textedCode(): Promise<string> {
    const { texts } = await simulator(listDirectory);
    return texts[0].words.slice(0, 6);
  }

  /** Returns the last code sent to an address. */
  function mailedCode(to: string): string {
    const mail = kit().mails.findLast((one) => one.to === to);
    const code = /Código: (\d{6})/.exec(mail?.text ?? "")?.[1];
    if (!code) throw new Error(`no code for ${to}`);
    return code;
  }

  /** Creates and verifies a key of this kind, up to the directory's answer. */
  async function proven(
    key_type: "TELEFONE" | "EMAIL",
    key: string,
    by: Person = kit().admin,
  ): Promise<string> {
    const added = await add(key_type, key, by);
    if (added.status !== 200) throw new Error(JSON.stringify(added.body));
    await kit().drainJobs();
    const code = key_type === "EMAIL" ? mailedCode(key) : await textedCode();
    const verified = await act(verifyPixKey, added.body.id, by, { code });
    if (verified.body.status !== "PENDING") throw new Error(JSON.stringify(verified.body));
    await kit().drainJobs();
    return added.body.id;
  }

  return { add, one, fetchStatus, act, simulator, withoutPermission, textedCode, mailedCode, proven };
}
