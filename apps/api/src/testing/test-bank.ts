/**
 * Adapters in memory for an installation without the sandbox: a bank that plays every port but two, and a carrier of
 * messages that plays those. `productionEnvironment` names both.
 */
import type { Catalogue } from "../adapters/catalogue.ts";
import { portNames } from "../ports/adapter-choice.ts";
import type { Mail } from "../ports/mailer.ts";
import { type SlowRails, slowRails } from "./slow-rails.ts";

const messagePorts = ["mailer", "sms"] as const;

export interface TestBank {
  available: Catalogue;
  /** Returns the bank's network; throws before an adapter was opened. */
  network(): SlowRails;
  mails: Mail[];
}

/** `onReportsRead` is called when the product asks the bank's Pix directory for reports, as its worker does. */
export function testBank(onReportsRead: () => void = () => undefined): TestBank {
  let network: SlowRails | undefined;
  const mails: Mail[] = [];
  return {
    mails,
    network() {
      if (!network) throw new Error("the bank was not opened");
      return network;
    },
    available: {
      "test-bank": {
        plays: portNames.filter((port) => !messagePorts.some((one) => one === port)),
        async open({ clock }) {
          network = slowRails(clock);
          return {
            ports: {
              rails: network,
              accountCheck: { findKey: async () => undefined, findHolder: async () => undefined },
              boletoRegister: { find: async () => ({ outcome: "not_registered" }) },
              pixCodes: { read: async () => undefined },
              directory: {
                id: network.id,
                ask: async () => ({ kind: "done" }),
                reports: async () => {
                  onReportsRead();
                  return [];
                },
                acknowledge: async () => undefined,
              },
              charges: {
                id: network.id,
                charge: async () => "waiting",
                cancel: async () => "waiting",
                refund: async () => "under_way",
              },
              infractions: { id: network.id, answer: async () => undefined },
            },
          };
        },
      },
      "test-carrier": {
        plays: messagePorts,
        open: async () => ({
          ports: {
            mailer: { send: async (mail) => void mails.push(mail) },
            sms: { send: async () => undefined },
          },
        }),
      },
    },
  };
}

export const productionEnvironment = {
  MALOTE_ENV: "production",
  MALOTE_LOG: "silent",
  MALOTE_SECRET: "a secret of tests that is long enough for everybody",
  MALOTE_PROVIDER_PIX_HOST: "pix.serra-azul.example",
  MALOTE_ISPB: "11223344",
  MALOTE_BANK_CODE: "987",
  MALOTE_INSTITUTION_NAME: "Serra Azul Pagamentos",
  MALOTE_RAILS: "test-bank",
  MALOTE_ACCOUNT_CHECK: "test-bank",
  MALOTE_BOLETO_REGISTER: "test-bank",
  MALOTE_PIX_CODES: "test-bank",
  MALOTE_PIX_DIRECTORY: "test-bank",
  MALOTE_CHARGES: "test-bank",
  MALOTE_INFRACTIONS: "test-bank",
  MALOTE_MAILER: "test-carrier",
  MALOTE_SMS: "test-carrier",
} as const;
