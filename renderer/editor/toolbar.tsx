import {
  IconArrowUpRight,
  IconCrop,
  IconDroplet,
  IconGrain,
  IconPointer,
  IconRotate2,
  IconRotateClockwise2,
  IconSquare,
  IconTypography,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './editor.module.css';
import { TOOLS } from './tools.ts';
import type { Editor } from './use-editor.ts';
import { TOOL_KEYS } from './use-keys.ts';

const icon = { size: 22, stroke: 1.7, 'aria-hidden': true } as const;
const ICONS = {
  select: <IconPointer {...icon} />,
  crop: <IconCrop {...icon} />,
  pixelate: <IconGrain {...icon} />,
  blur: <IconDroplet {...icon} />,
  box: <IconSquare {...icon} />,
  arrow: <IconArrowUpRight {...icon} />,
  text: <IconTypography {...icon} />,
};

/** The tools beside the picture, or below it on a phone. */
export function Toolbar({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor');
  return (
    <div className={classes.tools} role="toolbar" aria-label={t('tools')}>
      {TOOLS.map((tool) => (
        <ToolButton
          key={tool}
          label={t(`tool.${tool}`)}
          shortcut={TOOL_KEYS[tool]}
          pressed={editor.tool === tool}
          onClick={() => editor.choose(tool)}
        >
          {ICONS[tool]}
        </ToolButton>
      ))}
      <div className={classes.divider} />
      <ToolButton label={t('rotateLeft')} shortcut="Shift+R" onClick={() => editor.turn(-1)}>
        <IconRotate2 {...icon} />
      </ToolButton>
      <ToolButton label={t('rotateRight')} shortcut="R" onClick={() => editor.turn(1)}>
        <IconRotateClockwise2 {...icon} />
      </ToolButton>
    </div>
  );
}

interface ButtonProps {
  label: string;
  shortcut: string;
  pressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function ToolButton({ label, shortcut, pressed, onClick, children }: ButtonProps) {
  return (
    <button
      type="button"
      className={classes.tool}
      title={`${label} (${shortcut})`}
      aria-pressed={pressed}
      aria-keyshortcuts={shortcut}
      onClick={onClick}
    >
      {children}
      <span>{label}</span>
    </button>
  );
}
