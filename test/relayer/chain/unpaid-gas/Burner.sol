// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

/// Takes native coins where it believes to be simulated, and burns all gas where it believes to be in a block.
contract Burner {
    /// How it distinguishes a simulation from a block.
    enum Mode { Honest, GasPrice, BaseFee, Origin, Coinbase, Flag, GasLeft, Greedy, Refuse }

    // Slots 0 and 1 are written by the tests.
    uint256 public mode;
    /// The flag, the gas below which it is in a block, or the times that it goes round.
    uint256 public argument;
    uint256 private sink;

    receive() external payable {
        if (mode == uint256(Mode.Greedy)) {
            for (uint256 i = 0; i < argument; ++i) sink = uint256(keccak256(abi.encode(sink, i)));
        } else if (isInBlock()) {
            if (argument == 2) revert("not now");
            // As an endless loop would, without keeping the node's CPU busy.
            assembly { invalid() }
        }
    }

    function isInBlock() private view returns (bool) {
        if (mode == uint256(Mode.GasPrice)) return tx.gasprice != 0;
        if (mode == uint256(Mode.BaseFee)) return block.basefee != 0;
        if (mode == uint256(Mode.Origin)) return tx.origin != address(0) && tx.origin != 0x00000000000000000000000000000000DeaDBeef;
        if (mode == uint256(Mode.Coinbase)) return block.coinbase != address(0);
        if (mode == uint256(Mode.GasLeft)) return gasleft() < argument;
        return mode == uint256(Mode.Flag) && argument != 0;
    }
}
