import { type KeyGroup, KeysDialog } from '#renderer/components/keys-dialog.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { keyOf, TOOLS } from './tools/tools.ts';

interface Props {
  onClose: () => void;
  /** Keys of the page around the editor. */
  more?: KeyGroup;
}

/** The list of the editor's keys. */
export function EditorHelp({ onClose, more }: Props) {
  const { t } = useTranslation('editor');
  const groups: KeyGroup[] = [
    ...(more ? [more] : []),
    {
      title: t('tools'),
      items: [
        ...TOOLS.map((tool) => ({ keys: [[keyOf(tool)]], label: t(`tool.${tool}`) })),
        { keys: [['R']], label: t('rotateRight') },
        { keys: [['Shift', 'R']], label: t('rotateLeft') },
      ],
    },
    {
      title: t('keys.shapes'),
      items: [
        { keys: [['Mod', 'Z']], label: t('undo') },
        { keys: [['Mod', 'Shift', 'Z']], label: t('redo') },
        { keys: [['Space']], label: t('keys.next') },
        { keys: [['←'], ['→'], ['↑'], ['↓']], label: t('keys.move') },
        { keys: [['Shift', '→']], label: t('keys.resize') },
        { keys: [['Mod', 'C']], label: t('copy') },
        { keys: [['Mod', 'V']], label: t('paste') },
        { keys: [['Mod', 'D']], label: t('duplicate') },
        { keys: [['Delete']], label: t('delete') },
      ],
    },
    {
      title: t('zoom'),
      items: [
        { keys: [['+'], ['−']], label: t('keys.zoom') },
        { keys: [['1']], label: t('fullSize') },
        { keys: [['0']], label: t('fit') },
        { keys: [['?']], label: t('keys.help') },
      ],
    },
  ];
  return <KeysDialog groups={groups} onClose={onClose} />;
}
