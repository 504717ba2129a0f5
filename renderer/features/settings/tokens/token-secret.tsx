import { Button, Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { ShownOnce } from '#renderer/components/shown-once.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { configQuery } from '#renderer/service/queries.ts';
import { SNIPPETS } from './snippets.ts';
import type { NewToken } from './tokens.ts';

/** Shows a new token, with the settings that other programs need to use it. */
export function TokenSecret({ created, onClose }: { created: NewToken | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  if (!created) return null;
  return (
    <ShownOnce
      title={t('tokens.secretTitle')}
      text={t('tokens.secretText')}
      secret={created.token}
      label={t('links.copyAs', { format: t('tokens.secretLabel') })}
      done={t('tokens.stored')}
      onClose={onClose}
    >
      {created.scope !== 'metrics' && (
        <>
          <Text component="h3" fw={600} size="sm" mt="xl" mb={4}>
            {t('tokens.snippets')}
          </Text>
          <Snippets base={config?.base_url ?? location.origin} token={created.token} />
        </>
      )}
    </ShownOnce>
  );
}

function Snippets({ base, token }: { base: string; token: string }) {
  const { t } = useTranslation();
  return (
    <Tabs defaultValue="pixdock">
      <Tabs.List>
        {SNIPPETS.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id}>
            {t(name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SNIPPETS.map(({ id, name, hint, file, write }) => {
        const text = write(base, token);
        return (
          <Tabs.Panel key={id} value={id} pt="sm">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" c="dimmed">
                {t(hint)}
              </Text>
              <CopyButton text={text} label={t('links.copyAs', { format: t(name) })} />
            </Group>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard */}
            <pre className={classes.snippet} tabIndex={0}>
              {text}
            </pre>
            {file && (
              <Button
                component="a"
                variant="default"
                size="xs"
                mt="xs"
                download={file}
                href={`data:application/json;charset=utf-8,${encodeURIComponent(text)}`}
              >
                {t('tokens.saveFile', { file })}
              </Button>
            )}
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}
