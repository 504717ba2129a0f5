import { Radio, Stack } from '@mantine/core';
import { useTranslation } from '#renderer/i18n/t.ts';

interface Props {
  /** Whether others on the network can open links; undefined until the user has chosen. */
  lan: boolean | undefined;
  /** Set where the choice is missing. */
  error: boolean;
  onChange: (lan: boolean) => void;
}

/** Asks who should be able to open links. */
export function WhoOpens({ lan, error, onChange }: Props) {
  const { t } = useTranslation('desktop');
  const { t: tApp } = useTranslation();
  return (
    <Radio.Group
      label={t('setup.who')}
      error={error && t('setup.whoMissing')}
      value={lan === undefined ? '' : lan ? 'network' : 'computer'}
      onChange={(value) => onChange(value === 'network')}
    >
      <Stack gap="xs" mt="xs" mb="xs">
        <Radio value="network" label={tApp('opens.network')} description={t('setup.whoNetwork')} />
        <Radio value="computer" label={tApp('opens.computer')} description={t('setup.whoComputer')} />
      </Stack>
    </Radio.Group>
  );
}
