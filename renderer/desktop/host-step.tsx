import { Button, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Hosting, SetupState } from '#api/desktop/setup.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Frame } from './frame.tsx';
import classes from './pages.module.css';

interface Props {
  setup: SetupState;
  starting: boolean;
  /** Asks who should open the links. */
  who: ReactNode;
  onBack: () => void;
  /** Resolves to a usable folder, or undefined. */
  onChoose: () => Promise<string | undefined>;
  onHost: (choices: Partial<Hosting>) => void;
  /** The last problem. */
  children: ReactNode;
}

/** What can be decided before hosting starts. */
export function HostStep({ setup, starting, who, onBack, onChoose, onHost, children }: Props) {
  const { t } = useTranslation('desktop');
  const [name, setName] = useState('');
  const [folder, setFolder] = useState<string>();
  return (
    <Frame title={t('host.title')} intro={t('host.intro')} onBack={onBack}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onHost({ name: name.trim(), dataDir: folder ?? null });
        }}
      >
        <Stack mt="lg" gap="lg">
          <TextInput
            label={t('host.name')}
            description={t('host.nameHint')}
            placeholder="Pixdock"
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {who}
          <Input.Wrapper label={t('host.folder')} labelElement="div" description={t('host.folderHint')}>
            <Group mt="xs" gap="sm" wrap="nowrap" justify="space-between">
              <Text size="sm" className={classes.path ?? ''} data-testid="folder">
                {folder ?? setup.dataDir}
              </Text>
              <Button
                variant="default"
                size="sm"
                style={{ flex: 'none' }}
                onClick={async () => {
                  const chosen = await onChoose();
                  if (chosen !== undefined) setFolder(chosen);
                }}
              >
                {t('host.change')}
              </Button>
            </Group>
          </Input.Wrapper>
          <Text size="sm" c="dimmed">
            {t('host.password')}
          </Text>
          {children}
          <Button type="submit" size="md" loading={starting}>
            {t('setup.start')}
          </Button>
        </Stack>
      </form>
    </Frame>
  );
}
