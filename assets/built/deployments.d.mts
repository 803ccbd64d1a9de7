// What the build writes into deployments.mjs.
export {month_usd, n_replicas, reported} from "../../build/modules/built/deployments.mjs";
