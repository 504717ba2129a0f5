import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconRefresh, IconSend, IconTrash } from '@tabler/icons-react';
import type { Webhook } from '#api/webhooks.ts';
import { Switch } from '#renderer/components/forms/switch.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useAsk } from '../ask.tsx';
import { useChange } from '../use-change.ts';
import { EVENT_LABELS } from './webhook-dialog.tsx';

interface Props {
  webhook: Webhook;
  onEdit: () => void;
  onLog: () => void;
  onSecret: (secret: string) => void;
}

export function WebhookRow({ webhook, onEdit, onLog, onSecret }: Props) {
  const { t } = useTranslation('admin');
  const { id, name } = webhook;
  const toggle = useChange((enabled: boolean) => client.call('PATCH /admin/webhooks/:id', { params: { id }, body: { enabled } }), {
    stale: ['webhooks', 'audit'],
  });
  return (
    <li className={shared.row}>
      <div className={shared.rowText}>
        <h2>{name}</h2>
        <p className={shared.mono}>{webhook.url}</p>
        <p className={shared.facts}>{webhook.events.map((event) => t(EVENT_LABELS[event])).join(' · ')}</p>
      </div>
      <div className={shared.actions}>
        <Switch
          aria-label={t('webhooks.enabledOne', { name })}
          // Changes at once; a refusal restores the saved state.
          checked={toggle.isPending ? toggle.variables : webhook.enabled}
          onChange={(event) => toggle.mutate(event.currentTarget.checked)}
        />
        <Button variant="default" size="xs" aria-label={t('webhooks.logOne', { name })} onClick={onLog}>
          {t('webhooks.log')}
        </Button>
        <WebhookMenu webhook={webhook} onEdit={onEdit} onLog={onLog} onSecret={onSecret} />
      </div>
    </li>
  );
}

function WebhookMenu({ webhook: { id, name }, onEdit, onLog, onSecret }: Props) {
  const { t } = useTranslation('admin');
  const ask = useAsk();
  const params = { id };
  const test = useChange(() => client.call('POST /admin/webhooks/:id/test', { params }), {
    stale: ['deliveries'],
    done: () => t('webhooks.tested'),
    after: onLog,
  });
  const rotate = useChange(() => client.call('POST /admin/webhooks/:id/rotate-secret', { params }), {
    stale: ['audit'],
    after: ({ secret }) => onSecret(secret),
  });
  const remove = useChange(() => client.call('DELETE /admin/webhooks/:id', { params }), {
    stale: ['webhooks', 'audit'],
    done: () => t('deleted', { name }),
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label={t('actionsFor', { name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
          {t('edit')}
        </Menu.Item>
        <Menu.Item leftSection={<IconSend size={16} />} onClick={() => test.mutate(undefined)}>
          {t('webhooks.test')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconRefresh size={16} />}
          onClick={() =>
            ask({
              title: t('webhooks.rotateTitle', { name }),
              text: t('webhooks.rotateText'),
              confirm: t('webhooks.rotate'),
              onConfirm: () => rotate.mutate(undefined),
            })
          }
        >
          {t('webhooks.rotate')}
        </Menu.Item>
        <Menu.Item
          color="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} />}
          onClick={() =>
            ask({
              title: t('deleteTitle', { name }),
              text: t('webhooks.deleteText'),
              confirm: t('delete'),
              onConfirm: () => remove.mutate(undefined),
            })
          }
        >
          {t('delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
