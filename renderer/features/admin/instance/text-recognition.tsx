import { Checkbox, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AdminSettings } from '#api/admin/settings.ts';
import { TEXT_LANGUAGES } from '#api/constants.ts';
import type { TextProgress } from '#api/images/text.ts';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { Part } from '../page.tsx';

const POLL_MS = 5_000;
/** Pictures whose cost is shown. */
const SAMPLE = 1_000;

interface Props {
  draft: AdminSettings;
  /** Whether recognition is on already. */
  isSaved: boolean;
  onEdit: (changes: Partial<AdminSettings>) => void;
}

/** Recognition of text in pictures: whether, in which languages, what it costs and how far it has got. */
export function TextRecognition({ draft, isSaved, onEdit }: Props) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { data: progress } = useQuery({
    queryKey: ['admin', 'text'],
    queryFn: ({ signal }) => client.call('GET /admin/text', { signal }),
    refetchInterval: isSaved ? POLL_MS : false,
  });
  return (
    <Part title={t('instance.text')} hint={t('instance.textHint')}>
      <Switch
        label={t('instance.recognize')}
        description={progress && t('instance.recognizeHint', { time: format.period(Math.ceil((progress.cpu_seconds * SAMPLE) / 60) * 60) })}
        checked={draft.ocr_enabled}
        onChange={(event) => onEdit({ ocr_enabled: event.currentTarget.checked })}
      />
      {draft.ocr_enabled && (
        <Checkbox.Group
          label={t('instance.textLanguages')}
          description={t('instance.textLanguagesHint')}
          value={draft.ocr_languages}
          onChange={(chosen) => chosen.length > 0 && onEdit({ ocr_languages: TEXT_LANGUAGES.filter((one) => chosen.includes(one)) })}
        >
          <Stack gap="xs" mt="xs">
            {TEXT_LANGUAGES.map((language) => (
              <Checkbox key={language} value={language} label={t(`instance.textLanguage.${language}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {isSaved && progress && progress.pictures > 0 && <Recognized progress={progress} />}
    </Part>
  );
}

function Recognized({ progress: { pictures, waiting, pause } }: { progress: TextProgress }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const done = Math.max(0, pictures - waiting);
  const label = t('instance.textProgress', { done: format.number(done), all: format.number(pictures) });
  return (
    <div>
      <Text size="sm" mb={6}>
        {label}
      </Text>
      <Progress value={(done / pictures) * 100} aria-label={label} />
      {waiting > 0 && (pause === 'battery' || pause === 'busy') && (
        <Text size="sm" c="dimmed" mt={6} role="status">
          {t(`instance.textPaused.${pause}`)}
        </Text>
      )}
    </div>
  );
}
