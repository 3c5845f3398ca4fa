import type { FastifyInstance } from 'fastify';
import type { ServeContext } from '../../src/api/serve-context.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import type { ProjectionView } from '../../src/api/version-vector.ts';

/** The API of an index that grows, as of a masterchain step that the test chooses. */
export interface ClampedApi {
  /** Answers speak of no later steps from now on. */
  show(last: number): void;
  /** GET of a path below /api/v3. */
  get(path: string): Promise<{ readonly status: number; readonly json: Record<string, unknown> }>;
  close(): Promise<void>;
}

/** A second server over the same store. */
export async function clampedApi(context: ServeContext): Promise<ClampedApi> {
  let most = 0;
  const clamp = (view: ProjectionView): ProjectionView =>
    view.state === 'served'
      ? { ...view, visible: { ...view.visible, last: Math.min(most, view.visible.last) } }
      : view;
  const { freshen: _, ...fixed } = context;
  const app: FastifyInstance = await buildServer({
    ...fixed,
    vector: () => {
      const { base, activity, contracts, detections, traces, actions, lake } = context.vector();
      return {
        base: clamp(base),
        activity: clamp(activity),
        contracts: clamp(contracts),
        detections: clamp(detections),
        traces: clamp(traces),
        actions: clamp(actions),
        lake: clamp(lake),
      };
    },
  });
  return {
    show: (last) => {
      most = last;
    },
    async get(path) {
      const reply = await app.inject({ method: 'GET', url: `/api/v3/${path}` });
      return { status: reply.statusCode, json: reply.json() };
    },
    close: async () => {
      await app.close();
    },
  };
}
