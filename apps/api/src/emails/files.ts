/**
 * E-mails about requested files. A link opens only for a signed-in user of the company, because other people may read
 * an e-mail.
 */
import { count, day, type Email, type Fact } from "./email.ts";

const until = (expiresAt: Date): Fact => ({ label: "Disponível até", value: day(expiresAt) });

interface OfBatch {
  batch: { id: string; name: string } | null;
}

const ofBatch = ({ batch }: OfBatch): Fact[] => (batch ? [{ label: "Lote", value: batch.name }] : []);

interface FileOfPeriod {
  isOfPayouts: boolean;
  /** First and last day, as formatted text. */
  period: string;
}

const reportNameOf = ({ isOfPayouts }: FileOfPeriod) => (isOfPayouts ? "relatório" : "extrato");
/** Returns the page where the file was requested and where its link opens. */
const pageOf = ({ isOfPayouts }: FileOfPeriod) =>
  isOfPayouts ? "/pagamentos/transferencias" : "/pagamentos/saldo";

export const fileEmails = {
  receiptsReady: (requested: OfBatch & { id: string; rows: number; expiresAt: Date }): Email => ({
    subject: requested.batch
      ? `Os comprovantes do lote ${requested.batch.name} estão prontos`
      : "Seus comprovantes estão prontos",
    paragraphs: ["Os comprovantes que você pediu estão prontos: um arquivo ZIP com um PDF por pagamento."],
    facts: [
      ...ofBatch(requested),
      { label: "Comprovantes", value: count(requested.rows) },
      until(requested.expiresAt),
    ],
    button: { label: "Baixar comprovantes", page: `/pagamentos/lotes?comprovantes=${requested.id}` },
  }),

  receiptsFailed: (requested: OfBatch & { batchId: string | null }): Email => ({
    subject: "Não foi possível preparar seus comprovantes",
    paragraphs: [
      "Não foi possível preparar os comprovantes que você pediu. Confira se os pagamentos ainda estão como transferidos e peça de novo.",
    ],
    facts: ofBatch(requested),
    button: {
      label: "Abrir seus lotes",
      page: requested.batchId ? `/pagamentos/lotes?lote=${requested.batchId}` : "/pagamentos/lotes",
    },
  }),

  /** `file` is the name of the kind and its format. */
  reportReady: (
    requested: FileOfPeriod & { id: string; file: string; rows: number; expiresAt: Date },
  ): Email => ({
    subject: `Seu ${reportNameOf(requested)} está pronto`,
    paragraphs: [`O ${reportNameOf(requested)} que você pediu está pronto para baixar.`],
    facts: [
      { label: "Arquivo", value: requested.file },
      { label: "Período", value: requested.period },
      { label: requested.isOfPayouts ? "Transferências" : "Lançamentos", value: count(requested.rows) },
      until(requested.expiresAt),
    ],
    button: {
      label: `Baixar ${reportNameOf(requested)}`,
      page: `${pageOf(requested)}?arquivo=${requested.id}`,
    },
  }),

  reportFailed: (requested: FileOfPeriod): Email => ({
    subject: `Não foi possível preparar seu ${reportNameOf(requested)}`,
    paragraphs: [`Não foi possível preparar o ${reportNameOf(requested)} que você pediu. Peça de novo.`],
    facts: [{ label: "Período", value: requested.period }],
    button: { label: "Pedir de novo", page: pageOf(requested) },
  }),

  infractionsReady: (requested: { id: string; expiresAt: Date }): Email => ({
    subject: "A lista de infrações está pronta",
    paragraphs: ["A lista de infrações que você pediu está pronta: uma planilha CSV."],
    facts: [until(requested.expiresAt)],
    button: { label: "Baixar a lista", page: `/contestacoes/infracoes?exportacao=${requested.id}` },
  }),

  infractionsFailed: (_asked: object): Email => ({
    subject: "Não foi possível preparar a lista de infrações",
    paragraphs: ["Não foi possível preparar a lista de infrações que você pediu. Peça de novo."],
    button: { label: "Pedir de novo", page: "/contestacoes/infracoes" },
  }),
};
