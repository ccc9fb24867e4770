// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {NATIVE_ASSET} from "./NativeAsset.sol";
import {Pool} from "./Pool.sol";

/// A pool of the chain's native coin.
contract NativePool is Pool {
    error InsufficientValue();
    error FailedToSendNativeAsset();

    constructor(address entrypoint, address withdrawalVerifier, address ragequitVerifier)
        Pool(entrypoint, withdrawalVerifier, ragequitVerifier, NATIVE_ASSET)
    {}

    function _pull(address, uint256 value) internal override {
        require(msg.value == value, InsufficientValue());
    }

    function _push(address to, uint256 value) internal override {
        (bool sent,) = to.call{value: value}("");
        require(sent, FailedToSendNativeAsset());
    }
}
