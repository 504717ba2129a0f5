import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { Summary } from '#renderer/upload/queue/summary.ts';

interface Outcome {
  main: string;
  /** The failures, if any and not already said. */
  failures: string | undefined;
  /** What the other figures leave out. */
  aside: string | undefined;
}

/** The uploads in a line. It counts pictures, as the links do: a file that was chosen twice is one picture. */
export function useOutcome({ open, failed, added, known, copies }: Summary): Outcome {
  const { t } = useTranslation();
  const format = useFormat();
  const failures = failed ? t('upload.someFailed', { count: failed }) : undefined;
  const outcome = () => {
    if (added && known) return t('upload.newAndKnown', { added: format.number(added), known: format.number(known) });
    if (known) return t('upload.allKnown', { count: known });
    if (added) return t('upload.allDone', { count: added });
    return failures ?? t('upload.cancelled');
  };
  const main = open ? t('upload.uploading', { count: open }) : outcome();
  return { main, failures: failures === main ? undefined : failures, aside: copies ? t('upload.copies', { count: copies }) : undefined };
}
