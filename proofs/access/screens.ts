/** Calls that the screens hide, read from their sources: each changing call must first check its policy. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "@malote/contracts/contract";
import { mayCall, type Profile, profiles } from "@malote/contracts/policy";
import { accessOf, type RouteName, routes } from "../../apps/web/src/shell/routes.ts";
import { allBearers, type CompanyState, companyStates, type Who } from "./permissions.ts";

const web = join(import.meta.dirname, "../../apps/web/src");

export interface Source {
  /** The feature of the file. */
  feature: string;
  text: string;
}

export function readScreens(): Source[] {
  const files = readdirSync(web, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^testing/.test(file))
    .map((file) => ({ feature: file.split(/[\\/]/)[0] ?? "", text: readFileSync(join(web, file), "utf8") }));
}

const idsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].flatMap(([, id]) => id ?? []);
const sent = /\b(?:call|upload\w*)\(\s*(\w+)/g;
const asked = /\bmay\(\s*(\w+)/g;

const bearers: readonly { who: Who; company: CompanyState }[] = companyStates
  .filter(({ demandsSecondFactor }) => !demandsSecondFactor)
  .flatMap((company) => allBearers.map((who) => ({ who, company })));
const admitted = ({ policy }: Contract) =>
  bearers.map(({ who, company }) =>
    mayCall(policy, { ...who, permissions: company.permissions, featureFlags: company.flags }),
  );

const pages = /\bpage\(\s*"(\w+)"/g;
const isRoute = (name: string): name is RouteName => Object.hasOwn(routes, name);

/** Returns the profiles that the pages of a feature admit, by the guards that run before anything of it is drawn. */
function profilesOf(sources: readonly Source[]): readonly Profile[] {
  const names = sources.flatMap(({ text }) => idsIn(text, pages)).filter(isRoute);
  if (names.length === 0) return profiles;
  return profiles.filter((profile) =>
    names.some((name) => {
      const { allow = profiles, forbid = [] } = accessOf(name) ?? {};
      return allow.includes(profile) && !forbid.includes(profile);
    }),
  );
}

/** True when every person of either application may make the call, so that it need not be hidden. */
const isForEverybody = ({ policy }: Contract) =>
  policy.access !== "session" || (policy.profiles.length === 3 && !policy.permission && !policy.flag);

/**
 * Returns the changing calls that a screen sends without checking whether its person may: neither the feature checks
 * the call itself, nor another call whose people may all make this one, nor do its pages refuse the others.
 */
export function unguarded(contracts: readonly Contract[], sources: readonly Source[]): string[] {
  const known = new Map(contracts.map((one) => [one.id, one]));
  const faults: string[] = [];
  for (const { feature, text } of sources)
    for (const id of idsIn(text, asked))
      if (!known.has(id) && !/^[a-z]$|contract/i.test(id))
        faults.push(`${feature} asks for ${id}, which is no call`);
  for (const [id, contract] of known) {
    if (contract.method === "GET" || isForEverybody(contract)) continue;
    const features = new Set(
      sources.filter(({ text }) => idsIn(text, sent).includes(id)).map(({ feature }) => feature),
    );
    const mine = admitted(contract);
    for (const feature of features) {
      const own = sources.filter((one) => one.feature === feature);
      const { policy } = contract;
      // A call with a permission of its own needs a check of its own.
      const byProfile =
        policy.access === "session" && !policy.permission && !policy.flag ? policy.profiles : [];
      if (profilesOf(own).every((profile) => byProfile.includes(profile))) continue;
      const questions = own.flatMap(({ text }) => idsIn(text, asked));
      const isGuarded = questions.some((question) => {
        const guard = known.get(question);
        return guard && admitted(guard).every((letsIn, at) => !letsIn || mine[at]);
      });
      if (!isGuarded) faults.push(`${feature} sends ${id} without asking whether its person may`);
    }
  }
  return faults;
}
